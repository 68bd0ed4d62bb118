-- Opens a file of rules, makes a mistake, applies the fix that is offered, and gives a clause a new name.
-- What was found goes to the file named in FOUND, a line each.

local file, root, found = vim.env.RULES, vim.env.ROOT, {}

local function leave(code)
  vim.fn.writefile(found, vim.env.FOUND)
  vim.cmd("cquit " .. code)
end

local function wait_for(what, holds)
  if not vim.wait(600000, holds, 20) then
    table.insert(found, "waited in vain for " .. what)
    leave(1)
  end
end

vim.cmd("edit " .. file)
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({
  name = "lawspeaker",
  cmd = { vim.env.PYTHON, "-m", "lawspeaker", "lsp" },
  root_dir = root,
  workspace_folders = { { name = "rules", uri = vim.uri_from_fname(root) } },
})
vim.lsp.buf_attach_client(buffer, client)

local function line_with(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return number - 1, column - 1, line
    end
  end
  table.insert(found, "no line has " .. text)
  leave(1)
end

local function ask(method, given)
  given.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local answers = vim.lsp.buf_request_sync(buffer, method, given, 600000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

-- a mistake, and its fix
local row, column, line = line_with("holder of field is not")
vim.api.nvim_buf_set_lines(buffer, row, row + 1, false, { (line:gsub("holder", "holdr", 1)) })
wait_for("a message", function()
  return #vim.diagnostic.get(buffer) > 0
end)
local told = vim.diagnostic.get(buffer)[1]
table.insert(found, "told: " .. told.message:gsub("\n", " | "))
local range = { start = { line = row, character = column }, ["end"] = { line = row, character = column + 5 } }
local actions = ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
local _, _, mended = line_with("of field is not")
table.insert(found, "mended: " .. vim.trim(mended))
wait_for("no message", function()
  return #vim.diagnostic.get(buffer) == 0
end)

-- a new name
row, column = line_with("do going_ashore(")
local edit = ask("textDocument/rename", {
  position = { line = row, character = column + 4 },
  newName = "stepping_ashore",
})
local files = {}
for uri in pairs(edit.changes) do
  table.insert(files, vim.fn.fnamemodify(vim.uri_to_fname(uri), ":t"))
end
table.sort(files)
table.insert(found, "renamed in: " .. table.concat(files, " "))
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
row, _, line = line_with("do stepping_ashore(")
table.insert(found, "renamed: " .. vim.trim(line))

-- all else that an editor asks
row, column = line_with("do stepping_ashore(")
local place = { line = row, character = column + 4 }
local everything = { start = { line = 0, character = 0 }, ["end"] = { line = row, character = 0 } }
local declared = ask("textDocument/definition", { position = place })
table.insert(found, "declared in: " .. vim.fn.fnamemodify(vim.uri_to_fname(declared.uri), ":t"))
local hover = ask("textDocument/hover", { position = place })
table.insert(found, "hover: " .. vim.split(hover.contents.value, "\n")[1])
local answers = {
  references = ask("textDocument/references", { position = place, context = { includeDeclaration = true } }),
  completion = ask("textDocument/completion", { position = place }).items,
  outline = ask("textDocument/documentSymbol", {}),
  folding = ask("textDocument/foldingRange", {}),
  colours = ask("textDocument/semanticTokens/full", {}).data,
  hints = ask("textDocument/inlayHint", { range = everything }),
  lenses = ask("textDocument/codeLens", {}),
  highlights = ask("textDocument/documentHighlight", { position = place }),
}
local names = {}
for name, answer in pairs(answers) do
  if #answer > 0 then
    table.insert(names, name)
  end
end
table.sort(names)
table.insert(found, "answered: " .. table.concat(names, " "))
row, _, line = line_with("  " .. "stepping_ashore:")
vim.api.nvim_buf_set_lines(buffer, row, row + 1, false, { line .. "   " })
local tidied = ask("textDocument/formatting", { options = { tabSize = 2, insertSpaces = true } })
table.insert(found, "formatted: " .. (tidied[1] and "yes" or "no"))
leave(0)
