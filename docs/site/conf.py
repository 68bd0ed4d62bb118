"""How Sphinx builds the pages (`make site`).

tests/site/staging.py prepares the sources: it adds the buttons and turns links to files into links
to copies of them.
"""

project = "Lawspeaker"
html_title = "Lawspeaker"
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/icon.svg"
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/playing.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
