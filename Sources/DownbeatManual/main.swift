// SPDX-License-Identifier: Apache-2.0
// Writes the manual pages and the shells' completions of the command into a folder:
// man1/*.1, bash/downbeat, zsh/_downbeat, fish/downbeat.fish. The date is at the foot of the pages.
internal import DownbeatCommand
internal import Glibc

let arguments = CommandLine.arguments
guard [2, 3].contains(arguments.count) else {
  print("usage: downbeat-manual FOLDER [DATE]")
  exit(64)
}
let root = try CommandDescription.root()
let folder = OutputFolder(path: arguments[1])
for command in root.all {
  let page = ManualPage(
    command: command, root: root, version: CommandEntry.version,
    date: arguments.dropFirst(2).first ?? "")
  try folder.write(page.text, to: "man1/\(page.fileName)")
}
for (shell, name) in [("bash", "downbeat"), ("zsh", "_downbeat"), ("fish", "downbeat.fish")] {
  try folder.write(CommandEntry.completionScript(for: shell), to: "\(shell)/\(name)")
}
