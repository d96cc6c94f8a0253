// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import PlayerControl

/// Options for the remote control of a player.
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

  /// Creates the server of the remote control; nil if the options turn everything off.
  ///
  /// - Throws: `ControlError` if the socket of `--ipc` or the port of `--osc` cannot be opened.
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
        // The option is on by default, so a song plays without it.
      }
    }
    let osc = try osc.map { try OSCReceiver($0.known("--osc")) { Terminal.report($0) } }
    return sockets.isEmpty && noRemote && osc == nil
      ? nil : ControlServer(sockets: sockets, media: noRemote ? nil : MediaServer(), osc: osc)
  }
}
