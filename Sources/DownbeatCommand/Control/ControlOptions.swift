// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// How a player is led by other programs.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Listen on this socket too: a line of JSON for each command, as Documentation/Control.md"
        + " says.", valueName: "socket"), completion: .file())
  var ipc: String?

  @Flag(help: "Listen to no other program: `downbeat ctl` and media keys do not reach it.")
  var noRemote = false

  /// Listens to other programs; nil where none is to be listened to.
  ///
  /// - Throws: `Failure` where the socket that was asked for cannot be made.
  func server() throws -> ControlServer? {
    var sockets: [ControlSocket] = []
    if let ipc { sockets.append(try ControlSocket(path: ipc)) }
    if !noRemote {
      do {
        sockets.append(try RunningPlayers.listen())
      } catch {
        // Nobody asked for it: a song plays without.
      }
    }
    return sockets.isEmpty && noRemote
      ? nil : ControlServer(sockets, noRemote ? nil : MediaServer())
  }
}
