// Starts the language server, shows what its lenses have found (the table where a scenario ends, what a
// variant changes, how often rules fire), and has the commands for the open file as tasks.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

interface Position {
  svg: string;
  prompt: string;
  options: { text: string; label: string }[];
  finished: boolean;
  wrong: string;
}

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;
let shown = { uri: "", replies: [] as string[] };

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const [command, ...args] = vscode.workspace.getConfiguration("lawspeaker").get<string[]>("command", []);
  client = new LanguageClient(
    "lawspeaker",
    "Lawspeaker",
    { command, args },
    {
      documentSelector: [{ scheme: "file", language: "yaml" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,lock}") },
      middleware: { executeCommand: show },
    },
  );
  await client.start();
  context.subscriptions.push(
    vscode.commands.registerCommand("lawspeaker.showTable", () => {
      const editor = vscode.window.activeTextEditor;
      return editor && vscode.commands.executeCommand("lawspeaker.position", editor.document.uri.toString(), []);
    }),
    vscode.workspace.onDidChangeTextDocument(() => panel && refresh()),
    vscode.tasks.registerTaskProvider("lawspeaker", { provideTasks: () => tasks(command), resolveTask }),
  );
}

export function deactivate(): Thenable<void> | undefined {
  return client?.stop();
}

/** What a command of the server has found is shown beside the text. */
async function show(
  command: string,
  args: unknown[],
  next: (command: string, args: unknown[]) => vscode.ProviderResult<unknown>,
): Promise<unknown> {
  const found = await next(command, args);
  if ((command === "lawspeaker.changes" || command === "lawspeaker.fires") && found) {
    const { text } = found as { text: string };
    const document = await vscode.workspace.openTextDocument({ content: text, language: "markdown" });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
  } else if (command === "lawspeaker.position" && found) {
    shown = { uri: args[0] as string, replies: args[1] as string[] };
    draw(found as Position);
  }
  return found;
}

const DEEDS: Record<string, string[]> = {
  check: ["check"],
  format: ["format"],
  simulate: ["simulate", "--games", "200"],
  scenario: ["scenario"],
};

/** What can be done with the open file on the command line. */
function tasks(command: string): vscode.Task[] {
  const file = vscode.window.activeTextEditor?.document;
  if (file?.languageId !== "yaml") return [];
  const fitting = /^scenario:/m.test(file.getText()) ? ["scenario", "format"] : ["check", "format", "simulate"];
  return fitting.map((deed) => task(command, deed, file.fileName));
}

function task(command: string, deed: string, file: string): vscode.Task {
  const run = new vscode.ProcessExecution(command, [...DEEDS[deed], file]);
  const definition = { type: "lawspeaker", deed, file };
  return new vscode.Task(definition, vscode.TaskScope.Workspace, deed, "lawspeaker", run, "$lawspeaker");
}

/** A task that stands in tasks.json. */
function resolveTask(asked: vscode.Task): vscode.Task | undefined {
  const { deed, file } = asked.definition as { deed?: string; file?: string };
  const [command] = vscode.workspace.getConfiguration("lawspeaker").get<string[]>("command", []);
  return deed && file && deed in DEEDS && command ? task(command, deed, file) : undefined;
}

let waiting: NodeJS.Timeout | undefined;

/** The table follows the text, when nobody has typed for a moment. */
function refresh(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (panel) {
      void vscode.commands.executeCommand("lawspeaker.position", shown.uri, shown.replies);
    }
  }, 500);
}

function draw(position: Position): void {
  if (!panel) {
    panel = vscode.window.createWebviewPanel("lawspeaker.table", "Table", vscode.ViewColumn.Beside, {
      enableScripts: true,
    });
    panel.onDidDispose(() => (panel = undefined));
    panel.webview.onDidReceiveMessage((reply: string | null) => {
      const replies = reply === null ? shown.replies.slice(0, -1) : [...shown.replies, reply];
      void vscode.commands.executeCommand("lawspeaker.position", shown.uri, replies);
    });
  }
  const nonce = Math.random().toString(36).slice(2);
  const options = position.options.map(
    (each) => `<button data-reply="${escaped(each.text)}">${escaped(each.label)}</button>`,
  );
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  panel.webview.html = `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${nonce}">svg { max-width: 100%; height: auto; } button { margin: 2px; }</style>
${position.svg}
<p>${escaped(position.wrong || position.prompt || (position.finished ? "The end." : ""))}</p>
<p>${options.join(" ")}</p>
${shown.replies.length ? '<p><button id="back">Take back</button></p>' : ""}
<script nonce="${nonce}">
  const host = acquireVsCodeApi();
  for (const each of document.querySelectorAll("[data-reply]")) {
    each.addEventListener("click", () => host.postMessage(each.dataset.reply));
  }
  document.getElementById("back")?.addEventListener("click", () => host.postMessage(null));
</script>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
