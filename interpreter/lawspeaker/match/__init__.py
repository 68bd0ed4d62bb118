"""One game being played: what is asked, what happened, who may know it, and why."""
