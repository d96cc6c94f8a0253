// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Glibc
internal import JSONText
internal import MusicalTime
internal import SoundStreaming

extension SoundPlay {
  /// Plays addresses and files, one after another.
  func play(_ streams: StreamWish) throws {
    guard isPlain, isInTurn, control.ipc == nil, control.osc == nil else {
      throw Failure(
        .usage,
        "addresses are played once, as they come (leave --loop, --from, --to, --speed, --at, "
          + "--together, --complete-if-process-dies, --ipc and --osc out)")
    }
    let signals = SignalWatch(whilePlaying: true)
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
    signals.holdForCleanUp()
    try opened.unit.start(plan, at: .zero)
    try player.unit.follow(opened.unit, rendering: plan, telling: .heard)
    player.start()
    var watch = DeviceWatch(opened)
    while !player.isOver || !tail.isOver(at: opened.unit.position), opened.unit.fault == nil {
      if signals.signal == SIGTSTP {
        try rest(player, signals)
      } else if signals.signal != nil {
        break
      }
      _ = try watch.look()
      usleep(5_000)
    }
    player.stop()
    let fault = opened.unit.fault
    opened.unit.stop(draining: signals.signal == nil && fault == nil)
    player.unit.stopFollowing()
    if signals.signal == nil { player.unit.deliver() }
    SoundTrouble(xruns: opened.unit.xrunCount).report()
    if let number = signals.signal { SignalWatch.die(by: number) }
    if let fault { throw fault }
    guard news.exitStatus == .success else { throw news.exitStatus }
  }

  /// Ctrl-Z: silent until it is continued.
  private func rest(_ player: StreamPlayer, _ signals: SignalWatch) throws {
    try player.unit.pause()
    usleep(20_000)
    signals.pause()
    try player.unit.start()
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
