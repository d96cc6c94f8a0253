// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
internal import Glibc
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// Clips and players on one output, and who of them is not over yet.
final class SoundMix: @unchecked Sendable {
  // Unchecked: only the count, which has a lock, and the report are used by other threads.

  let board: SoundBoard
  private(set) var players: [AudioPlayer] = []
  private let output: any OutputUnit
  private let open = Mutex(0)
  /// Called for each sound that is over, on threads of its own.
  private let report: @Sendable (String, ClipEnd) -> Void

  init(
    _ output: any OutputUnit, program: DetachedProgram? = nil,
    alert: (@Sendable () -> Void)? = nil,
    report: @escaping @Sendable (String, ClipEnd) -> Void = { _, _ in }
  ) {
    self.output = output
    self.report = report
    board = SoundBoard(rate: output.format.rate, program: program, alert: alert)
  }

  /// Whether every sound has been heard.
  var isOver: Bool { open.withLock { $0 == 0 } }

  /// What ended it before its time.
  var fault: (any Error)? { output.fault }

  /// Adds a clip at a frame.
  func add(_ sound: SystemSound, at frame: Int64, gain: Float, pan: Float) throws {
    open.withLock { $0 += 1 }
    let name = sound.path
    try board.play(sound, at: .frame(SampleTime(frames: frame)), gain: gain, pan: pan) { end in
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
    player.play(at: SampleTime(frames: frame)) {
      self.end(name, ClipEnd(reason: .finished, frame: player.position.frame.frames))
    }
  }

  private func end(_ name: String, _ end: ClipEnd) {
    report(name, end)
    open.withLock { $0 -= 1 }
  }

  /// Starts the output.
  func start() throws {
    let mixer = MixerUnit(stripCount: players.count + 1, rate: output.format.rate)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    try graph.connect(graph.add(board.unit), to: head, input: 0)
    for (index, player) in players.enumerated() {
      try graph.connect(graph.add(player), to: head, input: index + 1)
    }
    try graph.setHead(head)
    try output.start(graph.compile())
    try board.follow(output)
    for player in players { try player.follow(output) }
  }

  /// Stops the output and the threads.
  func stop(draining: Bool) {
    output.stop(draining: draining)
    for player in players { player.stopFollowing() }
    board.stop()
  }
}
