// SPDX-License-Identifier: Apache-2.0
public import ClockService
public import MusicalTime

extension EventScheduler {
  /// Changes the part that is played over and over, as a transport does; nil plays on.
  public func setLoop(_ loop: LoopRange?) throws {
    try interrupt { position, clock, _ in clock.setLoop(loop, at: position.time) }
  }
}
