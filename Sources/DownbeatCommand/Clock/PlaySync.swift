// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ClockService
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The ports by which a song that plays follows and leads, and what became of its master.
struct PlaySync {
  private static let patience: Int64 = 100_000_000

  let fate = MasterFate()
  /// Whether the master is a clock of another process: gone, it does not come back.
  let isShared: Bool
  var keepers: [PortKeeper] = []
  private var outputs: [OutputPort] = []

  init(isShared: Bool) {
    self.isShared = isShared
  }

  /// Opens a port that sends clocks.
  mutating func open(
    _ targets: [String], _ waits: Bool, _ signals: SignalWait
  ) throws -> OutputPort {
    var options = PortOptions()
    options.port = targets
    options.wait = waits
    let (port, keeper) = try options.openOutput(named: "downbeat clock", signals: signals)
    keepers.append(keeper)
    outputs.append(port)
    return port
  }

  /// What becomes readable when ports come or go.
  var descriptors: [Int32] { keepers.flatMap(\.descriptors) }

  /// Connects ports again that are back.
  ///
  /// - Throws: where the clock of another process is served no more.
  mutating func update() throws {
    for index in keepers.indices { try keepers[index].update() }
    if isShared, fate.isLost { throw Failure(.noDevice, "sync: whoever served the clock is gone") }
  }

  /// Waits a moment for the last messages to leave.
  func drain() {
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.patience)
    do {
      for port in outputs { _ = try port.drain(until: limit) }
    } catch {
      // The sequencer is gone, and everything with it.
      return
    }
  }
}

/// What became of a master: told on the event thread, asked on another.
final class MasterFate: Sendable {
  private let lost = Atomic(false)

  /// Whether it is gone.
  var isLost: Bool { lost.load(ordering: .acquiring) }

  /// Takes note of an event, and tells it.
  func note(_ event: FollowerEvent) {
    if let words = event.sentence { Terminal.say("downbeat: \(words)") }
    if case .lost = event { lost.store(true, ordering: .releasing) }
  }
}
