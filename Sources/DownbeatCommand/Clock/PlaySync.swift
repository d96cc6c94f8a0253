// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ClockService
internal import MusicalTime
internal import Realtime

/// The ports by which a song that plays follows and leads, and what its master has done.
struct PlaySync {
  /// How long the last messages may take to leave, in nanoseconds.
  private static let patience: Int64 = 1_000_000_000

  let log = MasterLog()
  /// Whether the master is a clock of another process: gone, it does not come back.
  let isShared: Bool
  /// Whether nobody is told.
  let isQuiet: Bool
  /// What connects ports again.
  var keepers: [PortKeeper] = []
  private var outputs: [OutputPort] = []

  init(isShared: Bool, isQuiet: Bool) {
    self.isShared = isShared
    self.isQuiet = isQuiet
  }

  /// Opens a port that sends clocks.
  mutating func open(
    _ targets: [String], named name: String, _ waits: Bool, _ signals: SignalWait
  ) throws -> OutputPort {
    var options = PortOptions()
    options.port = targets
    options.wait = waits
    let (port, keeper) = try options.openOutput(named: name, signals: signals)
    keepers.append(keeper)
    outputs.append(port)
    return port
  }

  /// What becomes readable when ports come or go.
  var descriptors: [Int32] { keepers.flatMap(\.descriptors) }

  /// Connects ports again that are back, and tells what the master has done.
  ///
  /// - Throws: where the clock of another process is served no more.
  mutating func update(_ tell: (String) -> Void) throws {
    for index in keepers.indices { try keepers[index].update() }
    var isLost = false
    log.takeEach { event in
      if !isQuiet, let words = event.sentence { tell(words) }
      if case .lost = event { isLost = true }
    }
    if isLost, isShared { throw Failure(.noDevice, "sync: whoever served the clock is gone") }
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

/// What a master does, taken from the event thread to the one that tells a person.
final class MasterLog: Sendable {
  private let ring = RingBuffer<FollowerEvent>(minimumCapacity: 256)

  /// Takes note of an event, on the event thread; of more than fit, the first are told.
  func note(_ event: FollowerEvent) {
    _ = ring.writer.push(event)
  }

  /// Gives everything that came since the last call, on the other thread.
  func takeEach(_ body: (FollowerEvent) -> Void) {
    while let event = ring.reader.pop() { body(event) }
  }
}
