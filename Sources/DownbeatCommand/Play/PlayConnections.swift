// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import Downbeat
internal import PlayerControl

/// The other programs that lead a player, or are told of it; nil where there are none of a kind.
struct PlayConnections {
  /// What lets programs lead it by its socket, by media keys and by Open Sound Control.
  var server: ControlServer?
  /// What tells others of its beats.
  var telling: OSCOutput?
  /// What shows it to browsers.
  var web: WebClock?
  /// What it follows, for those who look; empty where nothing.
  var source = ""

  /// What becomes readable when somebody has something to say.
  var descriptors: [Int32] { (server?.descriptors ?? []) + (web?.descriptors ?? []) }

  /// When something is to be done that was asked for before, in nanoseconds.
  var deadline: Int64 { server?.deadline ?? .max }

  /// A song begins.
  func begin(_ controls: PlayControls) {
    server?.begin(controls)
    telling?.tell(song: controls.outline.title, path: controls.status.path)
  }

  /// Does what signals and programs ask for, and tells what is new; true where it did anything.
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

  /// Takes leave of all.
  func end() {
    server?.end()
    web?.end()
  }
}
