// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// Options of a buffer that a player plays.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt

  /// Creates options.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The buffer begins again at its end, until the player is stopped or another buffer interrupts.
  public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 0)
  /// The buffer replaces those before it at once.
  public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 1)
  /// The buffer replaces the one that loops, at the end of the loop.
  public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 1 << 2)
}

/// The moment at which a player reports a buffer or file.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  /// The player does not need the data any more.
  case dataConsumed = 0
  /// The sound is rendered.
  case dataRendered = 1
  /// The sound is played.
  case dataPlayedBack = 2
}

/// A node that plays buffers and parts of files, one after the other.
///
/// Buffers are copied when they are scheduled.
open class AVAudioPlayerNode: AVAudioMixedNode, @unchecked Sendable {
  private let stream = PlayerStream()

  /// Creates a player.
  override public init() {
    super.init()
  }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    stream.makeUnit(shape.rate, channelCount: shape.outputChannelCount)
  }

  override var served: (any EngineServed)? { stream }

  /// Schedules a buffer after those before it.
  ///
  /// - Parameters:
  ///   - buffer: The buffer, of any PCM format.
  ///   - completionHandler: Is called on another thread when the buffer is rendered, or the player
  ///     is stopped.
  open func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
  }

  /// Schedules a buffer.
  ///
  /// - Parameters:
  ///   - buffer: The buffer, of any PCM format.
  ///   - when: A sample time of the player; nil for the end of the buffer before.
  ///   - options: Loops and interruptions.
  ///   - completionHandler: Is called on another thread when the buffer is rendered, or the player
  ///     is stopped.
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

  /// Schedules a buffer, with the moment of its report.
  ///
  /// - Parameters:
  ///   - buffer: The buffer, of any PCM format.
  ///   - when: A sample time of the player; nil for the end of the buffer before.
  ///   - options: Loops and interruptions.
  ///   - callbackType: The moment; the first two are the same, and without a device all three are.
  ///   - completionHandler: Is called on another thread.
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

  /// Schedules a whole file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - when: A sample time of the player; nil for the end of the sound before.
  ///   - completionHandler: Is called on another thread when the file is rendered, or the player is
  ///     stopped.
  open func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionHandler: AVAudioNodeCompletionHandler? = nil
  ) {
    schedule(file, 0, Int(clamping: file.length), when, completionHandler)
  }

  /// Schedules a part of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - startFrame: The first frame.
  ///   - numberFrames: The number of frames; less if the file ends before.
  ///   - when: A sample time of the player; nil for the end of the sound before.
  ///   - completionHandler: Is called on another thread when the part is rendered, or the player is
  ///     stopped.
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

  /// Does nothing: the first second of sound is prepared when it is scheduled.
  ///
  /// - Parameter frameCount: The number of frames.
  open func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

  /// Starts the player, or continues after a pause.
  open func play() { stream.play(at: nil) }

  /// Starts the player at a time.
  ///
  /// A host time is used if the engine runs on a device.
  ///
  /// - Parameter when: A sample time of the engine, or a host time; nil to start at once.
  open func play(at when: AVAudioTime?) {
    let host = when.flatMap { $0.isHostTimeValid ? engine?.frame(atHostTime: $0.hostTime) : nil }
    // Frames of the engine are counted far below the limit.
    stream.play(at: (frame(when) ?? host).map { min(max($0, 0), 1 << 60) })
  }

  /// Pauses the player.
  open func pause() { stream.pause() }

  /// Stops the player and drops what is scheduled; its time begins at 0 again.
  open func stop() { stream.stop() }

  /// True between `play()` and `pause()` or `stop()`.
  open var isPlaying: Bool { stream.isPlaying }

  /// Converts a time of the engine to a time of the player.
  ///
  /// - Parameter nodeTime: A sample time of the engine.
  /// - Returns: The time, in frames of the node's output; nil if the player does not play.
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
  /// - Returns: The time; nil if the player does not play.
  open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
    guard let origin = stream.playOrigin, let frames = frame(playerTime) else { return nil }
    let (sum, isOut) = frames.addingReportingOverflow(origin)
    return isOut ? nil : AVAudioTime(sampleTime: sum, atRate: usualFormat.sampleRate)
  }
}
