// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The work of the thread of an `LTCInput`.
final class LTCInputRun: Sendable {
  private static let pause: Int64 = 1_000_000_000
  private static let step: Int64 = 50_000_000

  let isEnding = Atomic(false)
  let frames = RingBuffer<HeardFrame>(minimumCapacity: 64)
  private let counting: FrameRate?
  private let tell: @Sendable (LTCInput.Happening) -> Void
  private let open: @Sendable () throws -> any SoundInput

  init(
    counting: FrameRate?, tell: @escaping @Sendable (LTCInput.Happening) -> Void,
    open: @escaping @Sendable () throws -> any SoundInput
  ) {
    (self.counting, self.tell, self.open) = (counting, tell, open)
  }

  func run(_ first: any SoundInput) {
    var input: (any SoundInput)? = first
    while !isEnding.load(ordering: .acquiring) {
      if let opened = input ?? reopened() { hear(opened) }
      input = nil
    }
  }

  /// Decodes timecode until the input fails or the end.
  private func hear(_ input: any SoundInput) {
    var ear = LTCEar(counting: counting, since: DeadlineWait.now)
    do {
      while !isEnding.load(ordering: .acquiring) {
        try ear.hear(input) { frame in _ = frames.writer.push(frame) }
        DeadlineWait.sleep(until: ear.pause)
      }
    } catch {
      tell(.lost(error))
    }
  }

  /// Opens a failed input after a second; nil if it does not work yet, or at the end.
  private func reopened() -> (any SoundInput)? {
    let deadline = DeadlineWait.now + Self.pause
    while DeadlineWait.now < deadline {
      guard !isEnding.load(ordering: .acquiring) else { return nil }
      DeadlineWait.sleep(until: DeadlineWait.now + Self.step)
    }
    do {
      let input = try open()
      tell(.returned)
      return input
    } catch {
      // It does not work yet, so it is tried again.
      return nil
    }
  }
}
