// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolbox
internal import AudioToolboxFiles
internal import ClipPlayback
internal import Dispatch
internal import Foundation
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A recording in progress: a thread that reads the input, and the file.
final class RecorderTake: UnfinishedFile, Sendable {
  /// The file and the meters.
  let recorder: SoundRecorder
  private let shared: Shared
  private let thread: RealtimeThread
  private let rate: SampleRate
  /// Held while the file is finished or discarded; true afterwards.
  private let isFinished = Mutex(false)

  /// The state that the reading thread shares.
  private final class Shared: Sendable {
    let isEnding = Atomic(false)
    let captures = Atomic(false)
    let readFrames = Atomic<Int64>(0)
    let takenFrames = Atomic<Int64>(0)
    /// The frame of the input from which on sound is taken.
    let firstFrame = Atomic<Int64>(0)
    /// The frames after which the recording ends.
    let limit = Atomic<Int64>(.max)
    let inputFailed = Atomic(false)
    /// Signalled when the reading thread is about to end.
    let isOver = DispatchSemaphore(value: 0)
  }

  /// Creates the file under a temporary name and starts to read.
  ///
  /// - Parameters:
  ///   - target: The file.
  ///   - input: The input, with the file's rate and channels.
  ///   - onOver: Called on the reading thread when the limit is reached, or the input or the file
  ///     has failed.
  /// - Throws: `SoundFileError`; `RealtimeError`.
  init(
    _ target: RecordingTarget, input: any SoundInput, onOver: @escaping @Sendable () -> Void
  ) throws {
    let writer = try SoundFileWriter(
      path: target.url.path, format: target.format, channelCount: target.channelCount,
      rate: target.rate, options: target.options)
    let recorder = try SoundRecorder(writer, rate: target.rate)
    self.recorder = recorder
    rate = target.rate
    let shared = Shared()
    self.shared = shared
    nonisolated(unsafe) let input = input
    thread = try RealtimeThread(name: "recorder input", priority: nil) {
      unsafe Self.run(shared, input, recorder)
      shared.isOver.signal()
      if !shared.isEnding.load(ordering: .acquiring) { onOver() }
    }
    FilesAtExit.insert(self)
  }

  private static func run(
    _ shared: Shared, _ input: any SoundInput, _ recorder: SoundRecorder
  ) {
    do {
      while !shared.isEnding.load(ordering: .acquiring) {
        guard take(try input.read(), shared, recorder) else { return }
      }
    } catch {
      shared.inputFailed.store(true, ordering: .releasing)
    }
  }

  /// Records a part of what was read; returns false at the limit, and if the file has failed.
  private static func take(
    _ samples: [Float], _ shared: Shared, _ recorder: SoundRecorder
  ) -> Bool {
    let channels = recorder.channelCount
    let count = Int64(samples.count / channels)
    let start = shared.readFrames.load(ordering: .relaxed)
    shared.readFrames.store(start + count, ordering: .releasing)
    // First: the start and the limit are stored before it.
    guard shared.captures.load(ordering: .acquiring) else { return true }
    let taken = shared.takenFrames.load(ordering: .relaxed)
    let skipped = max(0, shared.firstFrame.load(ordering: .acquiring) - start)
    let room = shared.limit.load(ordering: .acquiring) - taken
    guard room > 0 else { return false }
    guard count > skipped else { return true }
    let frames = min(count - skipped, room)
    let from = Int(skipped) * channels
    let isMuted = SystemSession.shared.settings.isInputMuted
    let part =
      isMuted
      ? [Float](repeating: 0, count: Int(frames) * channels)
      : Array(samples[from..<from + Int(frames) * channels])
    let goesOn = recorder.take(part.span)
    shared.takenFrames.store(taken + frames, ordering: .releasing)
    return goesOn && frames < room
  }

  /// Takes sound from a time of the input on, for a duration.
  ///
  /// - Parameters:
  ///   - time: Seconds since the input was opened; nil for now.
  ///   - duration: Seconds; nil for no limit.
  func record(at time: Double?, for duration: Double?) {
    shared.firstFrame.store(time.map(frames) ?? 0, ordering: .releasing)
    let taken = shared.takenFrames.load(ordering: .acquiring)
    let limit = duration.map { taken + frames($0) } ?? .max
    shared.limit.store(limit, ordering: .releasing)
    shared.captures.store(true, ordering: .releasing)
  }

  private func frames(_ seconds: Double) -> Int64 {
    guard seconds.isFinite else { return seconds > 0 ? 1 << 50 : 0 }
    return Int64((max(0, min(seconds, 1e9)) * Double(rate.hertz)).rounded())
  }

  func pause() { shared.captures.store(false, ordering: .releasing) }

  /// The seconds that were recorded.
  var seconds: Double {
    Double(shared.takenFrames.load(ordering: .acquiring)) / Double(rate.hertz)
  }

  /// The seconds that were read since the input was opened.
  var inputSeconds: Double {
    Double(shared.readFrames.load(ordering: .acquiring)) / Double(rate.hertz)
  }

  /// True if the input was lost.
  var inputFailed: Bool { shared.inputFailed.load(ordering: .acquiring) }

  /// Stops reading and completes the file, unless it is completed or discarded already.
  func finish() throws(SoundFileError) {
    end()
    try complete()
  }

  /// Stops reading and removes the file.
  func discard() {
    end()
    isFinished.withLock { $0 = true }
    FilesAtExit.remove(self)
  }

  /// Completes the file, or removes it if nothing was recorded; the recorder does not exist any
  /// longer.
  func close() {
    end()
    completeRecorded()
  }

  /// Closes the file without waiting longer than a second for the input.
  func completeAtExit() {
    shared.isEnding.store(true, ordering: .releasing)
    _ = shared.isOver.wait(timeout: .now() + 1)
    completeRecorded()
  }

  private func completeRecorded() {
    guard shared.takenFrames.load(ordering: .acquiring) > 0 else {
      isFinished.withLock { $0 = true }
      return FilesAtExit.remove(self)
    }
    do {
      try complete()
    } catch {
      // The program cannot receive the error any longer.
    }
  }

  private func complete() throws(SoundFileError) {
    defer { FilesAtExit.remove(self) }
    try isFinished.withLock { (isFinished) throws(SoundFileError) in
      guard !isFinished else { return }
      isFinished = true
      try recorder.finish()
    }
  }

  private func end() {
    shared.isEnding.store(true, ordering: .releasing)
    if !thread.isCurrent { thread.join() }
  }
}
