// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MusicalTime

extension EventScheduler {
  /// Changes the loop, as a transport does; nil removes it.
  public func setLoop(_ loop: LoopRange?) throws {
    try interrupt { position, clock, _ in clock.setLoop(loop, at: position.time) }
  }
}
