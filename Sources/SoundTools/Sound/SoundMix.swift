// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import ClipPlayback
internal import CommandKit
internal import CommandOptions
internal import MusicalTime
internal import PlayerControl
internal import Synchronization

/// The clips and players that play on one output, through optional effects.
///
/// It counts those that still sound.
final class SoundMix: @unchecked Sendable {
  // Unchecked: other threads use only the counts, which have locks, and the closure `report`.

  private let board: SoundBoard
  private var players: [AudioPlayer] = []
  private let output: any OutputUnit
  private let effects: SoundEffects?
  /// The tail of the effects after the last sound; nil before the start.
  private var ending: EffectTail?
  /// Watches the sound device; nil for an output without a device.
  var device: DeviceWatch?
  private let open = Mutex(0)
  private let failed = Mutex(0)
  /// Called on another thread when a sound ends.
  private let report: @Sendable (String, ClipEnd) -> Void

  init(
    _ output: any OutputUnit, through effects: SoundEffects? = nil,
    program: DetachedProgram? = nil, alert: (@Sendable () -> Void)? = nil,
    report: @escaping @Sendable (String, ClipEnd) -> Void = { _, _ in }
  ) {
    self.output = output
    self.effects = effects
    self.report = report
    board = SoundBoard(rate: output.format.rate, program: program, alert: alert)
  }

  /// The number of clips that another process should play but could not.
  var failureCount: Int { failed.withLock { $0 } }

  /// The number of files that ended early.
  var shortCount: Int { players.reduce(0) { $0 + $1.shortCount } }

  /// The number of files that were found incomplete when they were opened.
  private(set) var cutOffCount = 0

  /// Reports an incomplete file.
  func tell(_ shortfall: SoundShortfall?, of name: String) {
    guard let shortfall else { return }
    cutOffCount += 1
    Terminal.report("\(name): \(shortfall)")
  }

  /// The number of gaps because the disk was too slow.
  var underrunCount: Int { players.reduce(0) { $0 + $1.underrunCount } }

  /// Adds a clip at a frame.
  ///
  /// A clip that another process plays starts at once.
  func add(_ sound: SystemSound, at frame: Int64, gain: Float, pan: Float) throws {
    open.withLock { $0 += 1 }
    let name = sound.path
    let start: SoundBoard.Start =
      sound.completesIfProcessDies ? .now : .frame(SampleTime(frames: frame))
    try board.play(sound, at: start, gain: gain, pan: pan) { end in
      self.end(name, end)
    }
  }

  /// Adds an alert.
  func addAlert(_ sound: SystemSound, gain: Float) throws {
    open.withLock { $0 += 1 }
    let name = sound.path
    try board.playAlert(sound, gain: gain) { end in self.end(name, end) }
  }

  /// Adds a player at a frame.
  func add(_ player: AudioPlayer, named name: String, at frame: Int64) {
    open.withLock { $0 += 1 }
    players.append(player)
    player.start(at: SampleTime(frames: frame)) { end in
      self.end(name, ClipEnd(reason: .finished, frame: end))
    }
  }

  private func end(_ name: String, _ end: ClipEnd) {
    report(name, end)
    if end.reason == .failed { failed.withLock { $0 += 1 } }
    open.withLock { $0 -= 1 }
  }

  /// The player, if it is the only sound; nil if there are more, or clips.
  var onlyPlayer: AudioPlayer? {
    players.count == 1 && open.withLock({ $0 }) == 1 ? players[0] : nil
  }

  /// Plays until all sounds and effects end, or until the user or a signal ends the playback.
  ///
  /// After a signal, the process ends.
  ///
  /// - Throws: The error that ended the output early.
  func play(
    until signals: SignalWatch, _ controlled: ControlledSound<SoundControls>? = nil
  ) throws {
    let loop = try RunLoop(signals)
    signals.holdForCleanUp()
    try start()
    var run = SoundMixRun(mix: self, controlled: controlled, signals: signals)
    run.controlled?.begin()
    let number = try loop.run(&run)
    let fault = fault
    let isEnded = run.controlled?.controls.hasEnded == true
    output.stop(draining: number == nil && fault == nil && !isEnded)
    run.controlled?.end(number != nil ? nil : fault != nil ? .failed : isEnded ? .quit : .finished)
    for player in players { player.stopFollowing() }
    SoundTrouble(xruns: xrunCount, remedy: device?.remedy ?? "").report()
    board.end()
    if let number { SignalWatch.die(by: number) }
    if let fault { throw fault }
  }

  /// Pauses if the device is lost and the policy is to pause.
  func follow(_ controlled: inout ControlledSound<SoundControls>?) throws {
    guard let news = try device?.look(), device?.policy == .pause else { return }
    if news == .lost { try controlled?.controls.perform(.setPaused(true), at: nil) }
  }

  /// True until all sounds and effects are over.
  var isSounding: Bool {
    open.withLock { $0 > 0 } || ending?.isOver(at: output.position) == false
  }

  var xrunCount: Int { output.xrunCount }

  /// The error that ended the output; nil while it runs.
  var fault: (any Error)? { output.fault }

  private func start() throws {
    let mixer = MixerUnit(stripCount: players.count + 1, rate: output.format.rate)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    try graph.connect(graph.add(board.unit), to: head, input: 0)
    for (index, player) in players.enumerated() {
      try graph.connect(graph.add(player), to: head, input: index + 1)
    }
    try graph.setHead(head)
    try effects?.insert(into: &graph)
    let plan = try graph.compile()
    ending = EffectTail(plan)
    try output.start(plan, at: .zero)
    try board.follow(output, rendering: plan)
    for player in players { try player.follow(output, rendering: plan) }
  }
}
