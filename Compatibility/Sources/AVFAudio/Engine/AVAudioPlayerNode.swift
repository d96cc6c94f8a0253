// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// The options for scheduling a buffer on a player node.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  /// The option bits.
  public let rawValue: UInt

  /// Creates a set of options from its bits.
  ///
  /// - Parameter rawValue: The option bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The buffer repeats until the player is stopped or another buffer replaces it.
  public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
  /// The buffer replaces all scheduled buffers and files immediately.
  public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
  /// The buffer replaces a looping buffer when that buffer reaches the end of its loop.
  public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}

/// The events at which a player node calls the completion handler of a buffer.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  /// The player has consumed the data of the buffer.
  ///
  /// In Downbeat this is the same as `dataRendered`.
  case dataConsumed = 0
  /// The last frame of the buffer has been rendered.
  case dataRendered = 1
  /// The last frame of the buffer has been played and was audible.
  case dataPlayedBack = 2
}

/// A node that plays buffers and parts of files in sequence.
///
/// Buffers are copied when they are scheduled.
open class AVAudioPlayerNode: AVAudioMixedNode, @unchecked Sendable {
  private let stream = PlayerStream()

  /// Creates a player that is not playing.
  override public init() {
    super.init()
  }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    stream.makeUnit(shape.rate, channelCount: shape.outputChannelCount)
  }

  override var served: (any EngineServed)? { stream }

  /// Schedules a buffer to play after everything that is already scheduled.
  ///
  /// - Parameters:
  ///   - buffer: The buffer, in any PCM format.
  ///   - completionHandler: Called on another thread when the buffer has been rendered or the
  ///     player is stopped; may be nil.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
  }

  /// Schedules a buffer to play at a given time, with options.
  ///
  /// - Parameters:
  ///   - buffer: The buffer, in any PCM format.
  ///   - when: The start, as a sample time of the player; nil to play directly after the previous
  ///     buffer or file.
  ///   - options: The options for looping and for replacing other buffers.
  ///   - completionHandler: Called on another thread when the buffer has been rendered or the
  ///     player is stopped; may be nil.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    let completion = completionHandler.map { PlayerCompletion(handler: $0, waitsForSound: false) }
    schedule(buffer, when, options, completion)
  }

  private func schedule(
    _ buffer: AVAudioPCMBuffer, _ when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
    _ completion: PlayerCompletion?
  ) {
    guard let rate = SampleRate(description: buffer.format.sampleRate) else { return }
    let segment = PlayerSegment(
      .samples(buffer.floats), rate: rate, channelCount: Int(buffer.format.channelCount),
      start: frame(when), loops: options.contains(.loops), completion: completion)
    stream.add(
      segment, interrupts: options.contains(.interrupts),
      atLoop: options.contains(.interruptsAtLoop))
  }

  /// Schedules a buffer, with a choice of when the completion handler is called.
  ///
  /// - Parameters:
  ///   - buffer: The buffer, in any PCM format.
  ///   - when: The start, as a sample time of the player; nil to play directly after the previous
  ///     buffer or file.
  ///   - options: The options for looping and for replacing other buffers.
  ///   - callbackType: The event at which the handler is called. `dataConsumed` and `dataRendered`
  ///     are equivalent. In manual rendering mode, `dataPlayedBack` is equivalent, too.
  ///   - completionHandler: Called on another thread with `callbackType` when the event occurs or
  ///     the player is stopped; may be nil.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil,
    options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: (@Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil
  ) {
    let completion = completionHandler.map { handler in
      PlayerCompletion(
        handler: { handler(callbackType) }, waitsForSound: callbackType == .dataPlayedBack)
    }
    schedule(buffer, when, options, completion)
  }

  /// Schedules a whole file to play at a given time.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - when: The start, as a sample time of the player; nil to play directly after the previous
  ///     buffer or file.
  ///   - completionHandler: Called on another thread when the file has been rendered or the player
  ///     is stopped; may be nil.
  open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    schedule(file, 0, Int(clamping: file.length), when, completionHandler)
  }

  /// Schedules a segment of a file to play at a given time.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - startFrame: The first frame of the segment.
  ///   - numberFrames: The number of frames. If the file is shorter, the segment stops at the end
  ///     of the file.
  ///   - when: The start, as a sample time of the player; nil to play directly after the previous
  ///     buffer or file.
  ///   - completionHandler: Called on another thread when the segment has been rendered or the
  ///     player is stopped; may be nil.
  open func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
    frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    let length = Int(clamping: file.length)
    let first = min(max(0, Int(clamping: startFrame)), length)
    schedule(file, first, min(Int(numberFrames), length - first), when, completionHandler)
  }

  private func schedule(
    _ file: AVAudioFile, _ first: Int, _ count: Int, _ when: AVAudioTime?,
    _ handler: AVAudioNodeCompletionHandler?
  ) {
    var content = PlayerSegment.Content.samples([])
    do {
      content = .file(try SoundFileReader(path: file.url.path), first: first, count: count)
    } catch {
      // A file that was removed meanwhile is empty; its handler is called.
    }
    let rate = SampleRate(description: file.processingFormat.sampleRate) ?? .hertz44100
    let segment = PlayerSegment(
      content, rate: rate, channelCount: Int(file.processingFormat.channelCount),
      start: frame(when), loops: false,
      completion: handler.map { PlayerCompletion(handler: $0, waitsForSound: false) })
    stream.add(segment, interrupts: false, atLoop: false)
  }

  /// A sample time of the player in frames of the engine.
  private func frame(_ when: AVAudioTime?) -> Int64? {
    guard let when, when.isSampleTimeValid else { return nil }
    return scaled(when.sampleTime, from: when.sampleRate, to: usualFormat.sampleRate)
  }

  private func scaled(_ frame: Int64, from rate: Double, to target: Double) -> Int64 {
    guard rate > 0, rate != target else { return frame }
    let scaled = (Double(frame) * target / rate).rounded()
    return Int64(exactly: scaled) ?? (scaled > 0 ? .max : .min)
  }

  /// Does nothing: the first second of audio is already prepared when it is scheduled.
  ///
  /// - Parameter frameCount: The number of frames; not used.
  open func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

  /// Starts playback, or resumes it after a pause.
  open func play() { stream.play(at: nil) }

  /// Starts playback at a given time.
  ///
  /// A host time is used only if the engine is running on a device.
  ///
  /// - Parameter when: A sample time of the engine or a host time; nil to start immediately.
  open func play(at when: AVAudioTime?) {
    let host = when.flatMap { $0.isHostTimeValid ? engine?.frame(atHostTime: $0.hostTime) : nil }
    // Frames of the engine are counted far below the limit.
    stream.play(at: (frame(when) ?? host).map { min(max($0, 0), 1 << 60) })
  }

  /// Pauses playback; `play()` resumes it.
  open func pause() { stream.pause() }

  /// Stops playback, removes everything that is scheduled, and resets the player's time to 0.
  open func stop() { stream.stop() }

  /// True if the player is playing: from `play()` until `pause()` or `stop()`.
  open var isPlaying: Bool { stream.isPlaying }

  /// Converts a time of the engine to a time of the player.
  ///
  /// - Parameter nodeTime: A sample time of the engine.
  /// - Returns: The sample time of the player, at the sample rate of the node's output; nil if the
  ///   player is not playing.
  open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
    guard let origin = stream.playOrigin, nodeTime.isSampleTimeValid else { return nil }
    let (frames, isOut) = nodeTime.sampleTime.subtractingReportingOverflow(origin)
    guard !isOut else { return nil }
    let rate = outputFormat(forBus: 0).sampleRate
    return AVAudioTime(
      sampleTime: scaled(frames, from: usualFormat.sampleRate, to: rate), atRate: rate)
  }

  /// Converts a time of the player to a time of the engine.
  ///
  /// - Parameter playerTime: A sample time of the player.
  /// - Returns: The sample time of the engine; nil if the player is not playing.
  open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
    guard let origin = stream.playOrigin, let frames = frame(playerTime) else { return nil }
    let (sum, isOut) = frames.addingReportingOverflow(origin)
    return isOut ? nil : AVAudioTime(sampleTime: sum, atRate: usualFormat.sampleRate)
  }
}
