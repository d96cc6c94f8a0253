// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import ClipPlayback
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import MusicalTime
internal import PlayerControl
internal import Synchronization

/// Clips and players on one output, through effects where there are some, and which of them are not over
/// yet.
final class SoundMix: @unchecked Sendable {
  // Unchecked: only the counts, which have locks, and the report are used by other threads.

  private let board: SoundBoard
  private var players: [AudioPlayer] = []
  private let output: any OutputUnit
  private let effects: SoundEffects?
  /// How long the effects sound on, once all sounds are over.
  private var ending: EffectTail?
  /// What tells that the device is gone; nil where nobody hears anything.
  package var device: DeviceWatch?
  private let open = Mutex(0)
  private let failed = Mutex(0)
  /// Called for each sound that is over, on threads of its own.
  private let report: @Sendable (String, ClipEnd) -> Void

  package init(
    _ output: any OutputUnit, through effects: SoundEffects? = nil,
    program: DetachedProgram? = nil, alert: (@Sendable () -> Void)? = nil,
    report: @escaping @Sendable (String, ClipEnd) -> Void = { _, _ in }
  ) {
    self.output = output
    self.effects = effects
    self.report = report
    board = SoundBoard(rate: output.format.rate, program: program, alert: alert)
  }

  /// The clips that another process was to play and could not.
  var failureCount: Int { failed.withLock { $0 } }

  /// Files that ended before they were to.
  var shortCount: Int { players.reduce(0) { $0 + $1.shortCount } }

  /// Files that were seen to be cut off when they were opened.
  private(set) var cutOffCount = 0

  /// Tells what a file is short of, where it is short of anything.
  package func tell(_ shortfall: SoundShortfall?, of name: String) {
    guard let shortfall else { return }
    cutOffCount += 1
    Terminal.report("\(name): \(shortfall)")
  }

  /// Gaps: the disk was too slow.
  var underrunCount: Int { players.reduce(0) { $0 + $1.underrunCount } }

  /// Adds a clip at a frame; one that another process plays begins at once.
  package func add(_ sound: SystemSound, at frame: Int64, gain: Float, pan: Float) throws {
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
  package func add(_ player: AudioPlayer, named name: String, at frame: Int64) {
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

  /// The one player, where nothing else sounds; nil otherwise.
  var onlyPlayer: AudioPlayer? {
    players.count == 1 && open.withLock({ $0 }) == 1 ? players[0] : nil
  }

  /// Plays until every sound and what effects make of it has been heard, a person ends it, or a signal comes, which then ends
  /// the process.
  ///
  /// - Throws: what ends the output before its time.
  package func play(until signals: SignalWatch, _ led: consuming LedSound<SoundControls>? = nil)
    throws
  {
    signals.holdForCleanUp()
    try start()
    led?.begin()
    while isSounding, output.fault == nil, led?.controls.hasMoved != true {
      if signals.signal == SIGTSTP {
        Self.stop(signals, led)
      } else if signals.signal != nil {
        break
      }
      try follow(&led)
      led?.update(signals, xruns: xrunCount)
      usleep(5_000)
    }
    let fault = output.fault
    let isEnded = led?.controls.hasMoved == true
    output.stop(draining: signals.signal == nil && fault == nil && !isEnded)
    led?.end(signals.signal != nil ? nil : fault != nil ? "error" : isEnded ? "quit" : "eof")
    for player in players { player.stopFollowing() }
    SoundTrouble(xruns: xrunCount, remedy: device?.remedy ?? "").report()
    board.end()
    if let number = signals.signal { SignalWatch.die(by: number) }
    if let fault { throw fault }
  }

  /// Looks after the device; without it the sound stands, and goes on where it was.
  private func follow(_ led: inout LedSound<SoundControls>?) throws {
    guard let news = try device?.look(), device?.policy == .pause else { return }
    if news == .lost { try led?.controls.perform(.setPaused(true), at: nil) }
  }

  private var isSounding: Bool {
    open.withLock { $0 > 0 } || ending?.isOver(at: output.position) == false
  }

  private var xrunCount: Int { output.xrunCount }

  /// Ctrl-Z.
  private static func stop(_ signals: SignalWatch, _ led: LedSound<SoundControls>?) {
    guard let led else { return signals.pause() }
    led.pause(signals) { usleep(20_000) }
  }

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
