// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import SoundStreaming

extension SoundPlay {
  /// Plays addresses and files, one after another.
  package func play(_ streams: StreamWish) throws {
    guard isPlain, isInTurn else {
      throw Failure(
        .usage,
        "addresses are played once, as they come (leave --loop, --from, --to, --speed, --at, "
          + "--together and --complete-if-process-dies out)")
    }
    let signals = SignalWatch(whilePlaying: true, isLed: true)
    let news = StreamNews(streams.names, isQuiet: quiet)
    let opened = try device.open()
    let player = try StreamPlayer(
      streams.items, rate: opened.unit.format.rate, settings: Self.streamSettings
    ) { news.tell($0) }
    player.unit.set(.gain, to: gain.factor, over: 0)
    player.unit.set(.pan, to: pan, over: 0)
    var graph = AudioGraph()
    try graph.setHead(graph.add(player.unit))
    try effects(at: opened.unit.format.rate)?.insert(into: &graph)
    let plan = try graph.compile()
    var tail = EffectTail(plan)
    try JSONReport.begin([("device", .text(opened.name))])
    let controls = StreamControls(player, streams.names, gain: gain.factor) {
      news.title(of: $0)
    }
    let display = try live.display(isQuiet: quiet, signals)
    var led = LedSound(
      controls, server: try control.server(),
      live: display.map { LiveSound(frame: LiveFrame($0), controls: controls) })
    signals.holdForCleanUp()
    try opened.unit.start(plan, at: .zero)
    try player.unit.follow(opened.unit, rendering: plan, telling: .heard)
    player.start()
    led.begin()
    var watch = DeviceWatch(opened)
    while !player.isOver || controls.isPaused || !tail.isOver(at: opened.unit.position),
      opened.unit.fault == nil, !controls.hasMoved
    {
      if signals.signal == SIGTSTP {
        led.pause(signals) { usleep(20_000) }
      } else if signals.signal != nil {
        break
      }
      if try watch.look() == .lost, watch.policy == .pause {
        try controls.perform(.setPaused(true), at: nil)
      }
      led.update(signals, xruns: opened.unit.xrunCount)
      // Another item may have been chosen while the last one's tail sounded.
      if !player.isOver { tail = EffectTail(plan) }
      usleep(5_000)
    }
    player.stop()
    let fault = opened.unit.fault
    opened.unit.stop(draining: signals.signal == nil && fault == nil && !controls.hasMoved)
    player.unit.stopFollowing()
    if signals.signal == nil, !controls.hasMoved { player.unit.deliver() }
    if controls.hasMoved { news.leave(controls.place.item) }
    led.end(
      signals.signal != nil ? nil : fault != nil ? "error" : controls.hasMoved ? "quit" : "eof")
    SoundTrouble(xruns: opened.unit.xrunCount, remedy: opened.remedy).report()
    if let number = signals.signal { SignalWatch.die(by: number) }
    if let fault { throw fault }
    guard controls.hasMoved || news.exitStatus == .success else { throw news.exitStatus }
  }

  /// As curl's own command has it, the environment names certificates.
  private static var streamSettings: StreamSettings {
    var settings = StreamSettings()
    settings.http.certificatePath =
      Environment.variables["CURL_CA_BUNDLE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? Environment.variables["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    return settings
  }
}
