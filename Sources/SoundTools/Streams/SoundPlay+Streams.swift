// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import SoundStreaming

extension SoundPlay {
  /// Plays web addresses and files, one after another.
  func play(_ streams: StreamChoice) throws {
    guard isStreamable else {
      throw Failure(
        .usage,
        "web addresses play once, at their own speed (leave out --loop, --speed, --at, --together "
          + "and --complete-if-process-dies)",
        options: ["--together", "--complete-if-process-dies"])
    }
    let settings = try streamSettings(streams)
    let signals = SignalWatch(whilePlaying: true, isLed: true)
    let news = StreamNews(streams.names, isQuiet: quiet)
    let opened = try device.open()
    let player = try StreamPlayer(
      streams.items, rate: opened.unit.format.rate, settings: settings
    ) { news.tell($0) }
    player.unit.set(.gain, to: gain.factor, over: 0)
    player.unit.set(.pan, to: pan, over: 0)
    var graph = AudioGraph()
    try graph.setHead(graph.add(player.unit))
    try effects(at: opened.unit.format.rate)?.insert(into: &graph)
    let plan = try graph.compile()
    try JSONReport.begin([("device", .text(opened.name))])
    let controls = StreamControls(player, streams.names, gain: gain.factor) {
      news.title(of: $0)
    }
    let display = try live.display(isQuiet: quiet, signals)
    let loop = try RunLoop(signals)
    signals.holdForCleanUp()
    player.start()
    if streams.isLocal { Self.waitForSound(of: player, signals) }
    try opened.unit.start(plan, at: .zero)
    try player.unit.follow(opened.unit, rendering: plan, telling: .heard)
    var run = StreamRun(
      player: player, plan: plan, device: opened, signals: signals,
      controlled: ControlledSound(
        controls, server: try control.server(),
        live: display.map { LiveSound(frame: LiveFrame($0), controls: controls) }))
    run.controlled.begin()
    let number = try loop.run(&run)
    player.stopAndSave()
    let fault = opened.unit.fault
    opened.unit.stop(draining: number == nil && fault == nil && !controls.hasEnded)
    player.unit.stopFollowing()
    if number == nil, !controls.hasEnded { player.unit.deliver() }
    if controls.hasEnded { news.leave(controls.place.item) }
    run.controlled.end(
      number != nil ? nil : fault != nil ? .failed : controls.hasEnded ? .quit : .finished)
    SoundTrouble(xruns: opened.unit.xrunCount, remedy: opened.remedy).report()
    if let number { SignalWatch.die(by: number) }
    if let fault { throw fault }
    guard controls.hasEnded || news.exitStatus == .success else { throw news.exitStatus }
  }

  /// Returns the settings for the transfers, the part to play, and the file of `--save`.
  private func streamSettings(_ streams: StreamChoice) throws -> StreamSettings {
    var settings = AddressSource.settings
    try SoundPart(from, to).apply(to: &settings)
    guard let save else { return settings }
    guard streams.items.count == 1, streams.items[0].isAddress else {
      throw Failure(.usage, "--save: needs exactly one web address")
    }
    _ = try OutputFile(path: save, overwrite: overwrite)
    settings.copy = HTTPSettings.Copy(path: save, byteLimit: 1 << 50, mayReplace: overwrite)
    return settings
  }

  /// Waits up to two seconds for the first sound of a pipe, so that it is not preceded by silence.
  private static func waitForSound(of player: StreamPlayer, _ signals: SignalWatch) {
    for _ in 0..<400 where player.unit.prime() == 0 && !player.isFed && signals.signal == nil {
      usleep(5000)
    }
  }
}
