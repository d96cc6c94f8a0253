// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import Downbeat
internal import PlayerControl

/// The programs that control or observe a player; nil for each kind without any.
struct PlayConnections {
  /// Receives commands by socket, media keys and OSC.
  var server: ControlServer?
  /// Sends beats and other events by OSC.
  var telling: OSCOutput?
  /// Serves the player to web browsers.
  var web: WebClock?
  /// The name of the clock that the player follows; empty for none.
  var source = ""

  /// The descriptors that become readable when a program sends data.
  var descriptors: [Int32] { (server?.descriptors ?? []) + (web?.descriptors ?? []) }

  /// The time of the next scheduled command, in nanoseconds.
  var deadline: Int64 { server?.deadline ?? .max }

  /// Reports the start of a song.
  func begin(_ controls: PlayControls) {
    server?.begin(controls)
    telling?.tell(song: controls.outline.title, path: controls.status.path)
  }

  /// Applies the commands of signals and programs, and reports news.
  ///
  /// Returns true if there was a command.
  func follow(
    _ controls: PlayControls, _ signals: SignalWatch, _ events: [ClockEvent]
  ) -> Bool {
    let isLed = controls.follow(signals, server)
    let outline = controls.outline
    telling?.update(events, controls.playback.snapshot, outline.context)
    let isLedHere =
      web?.update(
        WebScene(
          clock: controls.playback.snapshot, context: outline.context, title: outline.title,
          source: source, markers: outline.markers), leading: controls) ?? false
    return isLed || isLedHere
  }

  /// Ends all connections.
  func end() {
    server?.end()
    web?.end()
  }
}
