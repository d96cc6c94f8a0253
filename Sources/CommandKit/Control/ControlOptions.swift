// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import PlayerControl

/// Options for the control of a player by other programs.
package struct ControlOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Create this socket to receive commands, one JSON command per line (Documentation/Control.md).",
      valueName: "socket"), completion: .file())
  package var ipc: String?

  @Flag(help: "Ignore `downbeat ctl` and media keys.")
  var noRemote = false

  @Option(
    help: ArgumentHelp(
      "Receive Open Sound Control on this port, on localhost unless a host is given"
        + " (Documentation/OSC.md).", valueName: "[host:]port"))
  package var osc: ListenAddress?

  /// Listens to other programs; nil if the options exclude all of them.
  ///
  /// - Throws: `Failure` if the socket cannot be made.
  package func server() throws -> ControlServer? {
    var sockets: [ControlSocket] = []
    if let ipc {
      let socket = try ControlSocket(path: ipc)
      if socket.replacesDead {
        Terminal.report("\(ipc): replaced an unused socket")
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
