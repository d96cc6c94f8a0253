// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import CoreAudio
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A tap on the output of a node: copies of its sound, for a closure of the program.
///
/// The render thread puts the sound into a ring without waiting. If the closure is slow the ring
/// becomes full; frames are then lost and counted.
///
/// - Note: Any thread.
final class NodeTap: EngineServed {
  private let bufferFrames: Int
  private let wanted: AVAudioFormat?
  private let block: AVAudioNodeTapBlock
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "engine tap")
  /// Held while the closure is called.
  private let calling = NSRecursiveLock()
  private let waitingCount = Atomic(0)
  private let isCancelled = Atomic(false)

  // Unchecked: used under the lock, and the converter on the queue.
  private struct State: @unchecked Sendable {
    var capture: CaptureQueue?
    var format: AVAudioFormat?
    /// The frames that earlier units lost.
    var droppedFrames = 0
  }

  /// The sounds that wait for the closure at most while the engine runs in real time.
  private static let patience = 8

  /// Creates a tap.
  ///
  /// - Parameters:
  ///   - bufferFrames: The frames of a buffer; 64…65,536 are used.
  ///   - format: The format of the buffers; nil for that of the engine.
  ///   - block: Receives the buffers, on a queue.
  init(bufferFrames: Int, format: AVAudioFormat?, _ block: @escaping AVAudioNodeTapBlock) {
    self.bufferFrames = min(65_536, max(AudioFormat.quantum, bufferFrames))
    wanted = format
    self.block = block
  }

  /// The frames that were lost.
  var droppedFrameCount: Int {
    state.withLock { $0.droppedFrames + ($0.capture?.droppedFrameCount ?? 0) }
  }

  /// Creates the unit that the engine connects to the output of the node.
  func makeUnit(channelCount: Int, rate: SampleRate) -> CaptureQueue {
    // A second of sound can wait.
    let count = min(1024, max(4, Int(rate.hertz) / bufferFrames + 2))
    let capture = CaptureQueue(
      name: "tap", channelCount: channelCount, bufferFrames: bufferFrames, bufferCount: count,
      rate: rate)
    let converter = TapConverter(channelCount: channelCount, rate: rate, to: wanted)
    capture.observe { [weak self] event in
      if case .sound(let sound) = event { self?.enqueue(sound, converter) }
    }
    do { try capture.start() } catch {
      // A new queue has room for an order.
    }
    state.withLock { state in
      state.droppedFrames += state.capture?.droppedFrameCount ?? 0
      state.capture = capture
    }
    return capture
  }

  func serve(_ moment: EngineMoment) {
    guard let capture = state.withLock(\.capture) else { return }
    let isBehind = waitingCount.load(ordering: .acquiring) >= Self.patience
    guard moment.isOffline || !isBehind else { return }
    capture.deliver(clock: moment.clock)
  }

  private func enqueue(_ sound: CapturedSound, _ converter: TapConverter) {
    waitingCount.add(1, ordering: .acquiringAndReleasing)
    queue.async { [weak self] in self?.call(sound, converter) }
  }

  private func call(_ sound: CapturedSound, _ converter: TapConverter) {
    waitingCount.subtract(1, ordering: .acquiringAndReleasing)
    guard let (buffer, time) = converter.convert(sound) else { return }
    calling.withLock {
      guard !isCancelled.load(ordering: .acquiring) else { return }
      block(buffer, time)
    }
  }

  /// Ends the calls; a call that is under way on another thread is waited for.
  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    calling.withLock {}
  }
}

/// The conversion of captured sound to the format of a tap.
///
/// - Note: One thread at a time.
final class TapConverter: @unchecked Sendable {
  // Unchecked: it is used on the queue of a tap.

  private let format: AVAudioFormat
  private let rate: SampleRate
  private let converter: SoundConverter?
  /// The frame of the tap's format that follows the last, if sound was converted.
  private var next: Int64?

  init(channelCount: Int, rate: SampleRate, to wanted: AVAudioFormat?) {
    self.rate = rate
    let plain = AVAudioEngine.format(hertz: Int(rate.hertz), channels: UInt32(channelCount))
    let target = wanted.flatMap { SampleRate(description: $0.sampleRate) }
    guard let wanted, let target, wanted.asbd.isPCM, wanted.channelCount > 0 else {
      (format, converter) = (plain, nil)
      return
    }
    guard target != rate || Int(wanted.channelCount) != channelCount else {
      (format, converter) = (wanted, nil)
      return
    }
    do {
      converter = try SoundConverter(
        from: SoundConverter.Form(rate: rate, layout: .usual(channelCount: channelCount)),
        to: SoundConverter.Form(
          rate: target, layout: .usual(channelCount: Int(wanted.channelCount))))
      format = wanted
    } catch {
      (format, converter) = (plain, nil)
    }
  }

  /// Returns a buffer and the time of its first frame; nil if the converter still holds the frames.
  func convert(_ sound: CapturedSound) -> (AVAudioPCMBuffer, AVAudioTime)? {
    guard let converter else { return buffer(sound.samples, sound.start.frames, sound.host) }
    converter.push(sound.samples.span)
    let samples = converter.take(Float.self, frameCount: converter.readyFrameCount)
    let factor = format.sampleRate / Double(rate.hertz)
    let start = next ?? Int64((Double(sound.start.frames) * factor).rounded())
    next = start + Int64(samples.count / Int(format.channelCount))
    return buffer(samples, start, sound.host)
  }

  private func buffer(
    _ samples: [Float], _ start: Int64, _ host: HostTime?
  ) -> (AVAudioPCMBuffer, AVAudioTime)? {
    let frames = samples.count / Int(format.channelCount)
    guard frames > 0,
      let buffer = AVAudioPCMBuffer(
        pcmFormat: format, frameCapacity: AVAudioFrameCount(frames))
    else { return nil }
    buffer.store(floats: samples)
    guard let host else {
      return (buffer, AVAudioTime(sampleTime: start, atRate: format.sampleRate))
    }
    let time = AVAudioTime(
      hostTime: UInt64(clamping: host.nanoseconds), sampleTime: start, atRate: format.sampleRate)
    return (buffer, time)
  }
}
