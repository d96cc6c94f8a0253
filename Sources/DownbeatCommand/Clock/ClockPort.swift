// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ClockService
internal import MusicalTime

/// A port that clocks are sent from, and by how many nanoseconds they are later there.
struct ClockPort {
  let port: OutputPort
  let delay: Int64
}

extension [ClockPort] {
  /// The ports as a clock takes them, all behind one generator.
  func outputs(of generator: MIDIClockGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port, delay: $0.delay) }
  }

  /// The ports as a clock takes them, all behind one generator.
  func outputs(of generator: MTCGenerator) -> [ClockSync.Output] {
    map { .init(generator, to: $0.port, delay: $0.delay) }
  }

  /// Waits for the last messages to leave.
  func drain(until limit: HostTime) throws {
    for port in self { _ = try port.port.drain(until: limit) }
  }
}
