// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import PlayerControl

/// Options for the control of a player by other programs.
package struct ControlOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Listen on this socket too: a line of JSON for each command, as Documentation/Control.md"
        + " says.", valueName: "socket"), completion: .file())
  package var ipc: String?

  @Flag(help: "Listen to no other program: `downbeat ctl` and media keys do not reach it.")
  var noRemote = false

  @Option(
    help: ArgumentHelp(
      "Listen to Open Sound Control on this port, of this machine alone where no host is named, as"
        + " Documentation/OSC.md says.", valueName: "[host:]port"))
  package var osc: ListenAddress?

  /// Listens to other programs; nil if the options exclude all of them.
  ///
  /// - Throws: `Failure` if the socket cannot be made.
  package func server() throws -> ControlServer? {
    var sockets: [ControlSocket] = []
    if let ipc {
      let socket = try ControlSocket(path: ipc)
      if socket.replacesDead {
        Terminal.report("\(ipc): replaces a socket that no process uses")
      }
      sockets.append(socket)
    }
    if !noRemote {
      do {
        sockets.append(try ControlSocket())
      } catch {
        // It was not asked for: a song plays without it.
      }
    }
    let osc = try osc.map { try OSCReceiver($0.known("--osc")) { Terminal.report($0) } }
    return sockets.isEmpty && noRemote && osc == nil
      ? nil : ControlServer(sockets: sockets, media: noRemote ? nil : MediaServer(), osc: osc)
  }
}
