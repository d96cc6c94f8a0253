// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

extension AVAudioEngine {
  /// Sets the engine to manual rendering: it renders on request, without a device.
  ///
  /// - Parameters:
  ///   - mode: The rendering mode. In both modes, audio is rendered as fast as you request it.
  ///   - pcmFormat: The PCM format of the rendered audio, with 1…1024 channels.
  ///   - maximumFrameCount: The maximum number of frames per render call, at least 1.
  /// - Throws: An `NSError`: `AVAudioEngineManualRenderingError.initialized` if the engine is
  ///   running or paused, −50 if the format or the frame count is invalid.
  public func enableManualRenderingMode(
    _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat,
    maximumFrameCount: AVAudioFrameCount
  ) throws {
    let call = "enableManualRenderingMode(_:format:maximumFrameCount:)"
    guard let rate = SampleRate(description: pcmFormat.sampleRate), pcmFormat.asbd.isPCM,
      (1...1024).contains(pcmFormat.channelCount), maximumFrameCount > 0
    else { throw AVFAudioError.error(kAudio_ParamError, call: call) }
    try moves.withLock {
      try lock.withLock {
        guard !runs, !(rendering?.hasRun ?? false) else {
          throw AVFAudioError.error(
            AVAudioEngineManualRenderingError.initialized.rawValue, call: call)
        }
        rendering = nil
        manual = Manual(mode: mode, format: pcmFormat, rate: rate, maximum: maximumFrameCount)
      }
    }
  }

  /// Stops the engine and returns it to rendering on a device.
  public func disableManualRenderingMode() {
    moves.withLock {
      stop()
      lock.withLock { manual = nil }
    }
  }

  /// True if the engine is in manual rendering mode.
  public var isInManualRenderingMode: Bool { lock.withLock { manual != nil } }

  /// The manual rendering mode; `offline` if the engine is not in manual rendering mode.
  public var manualRenderingMode: AVAudioEngineManualRenderingMode {
    lock.withLock { manual?.mode ?? .offline }
  }

  /// The format of manually rendered audio.
  ///
  /// If the engine is not in manual rendering mode, this is two channels at the engine's sample
  /// rate.
  public var manualRenderingFormat: AVAudioFormat {
    lock.withLock { manual?.format } ?? usualFormat
  }

  /// The maximum number of frames per render call; 0 if the engine is not in manual rendering mode.
  public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
    lock.withLock { manual?.maximum ?? 0 }
  }

  /// The number of frames that were rendered since the engine was started or reset.
  public var manualRenderingSampleTime: AVAudioFramePosition {
    lock.withLock { rendering?.position ?? 0 }
  }

  /// Renders frames into a buffer, in manual rendering mode.
  ///
  /// Changes of the engine between two calls take effect at the next multiple of 64 frames.
  ///
  /// - Parameters:
  ///   - numberOfFrames: The number of frames, at most `manualRenderingMaximumFrameCount`.
  ///   - buffer: The buffer, in the manual rendering format and with sufficient capacity. Its
  ///     length is set to the number of rendered frames.
  /// - Returns: `success`; `insufficientDataFromInputNode` if the input node did not provide enough
  ///   audio; `cannotDoInCurrentContext` if another thread is rendering, in which case the buffer
  ///   is not changed.
  /// - Throws: An `NSError`: an `AVAudioEngineManualRenderingError` if the engine is not in manual
  ///   rendering mode or not running, −50 if the buffer is not suitable, or
  ///   `kAudioUnitErr_TooManyFramesToProcess`.
  public func renderOffline(
    _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    let call = "renderOffline(_:to:)"
    let manual = try lock.withLock { () throws -> Manual in
      guard let manual = self.manual else {
        throw AVFAudioError.error(
          AVAudioEngineManualRenderingError.invalidMode.rawValue, call: call)
      }
      guard runs else {
        throw AVFAudioError.error(
          AVAudioEngineManualRenderingError.notRunning.rawValue, call: call)
      }
      return manual
    }
    guard buffer.format.isEqual(manual.format), numberOfFrames <= buffer.frameCapacity else {
      throw AVFAudioError.error(kAudio_ParamError, call: call)
    }
    guard numberOfFrames <= manual.maximum else {
      throw AVFAudioError.error(kAudioUnitErr_TooManyFramesToProcess, call: call)
    }
    // Not under the lock: closures of the program render.
    let (samples, status) = try program.render(Int(numberOfFrames))
    if status != .cannotDoInCurrentContext {
      buffer.store(floats: try Self.arranged(samples, manual))
    }
    return status
  }

  /// A closure that renders frames into an audio buffer list, in manual rendering mode.
  ///
  /// In the mode `realtime` you can call the closure on a real-time thread, because it does not
  /// wait, allocate or lock. It requires a format with 32-bit floating-point samples; for any other
  /// format, or a list that is too small, it stores the error −50. If another thread is rendering,
  /// it returns `cannotDoInCurrentContext`. The closure remains valid when the engine stops; it
  /// then returns `error`.
  public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
    { [program] count, list, error in unsafe program.render(count, list, error) }
  }

  /// Two channels as those of the format.
  private static func arranged(_ samples: [Float], _ manual: Manual) throws -> [Float] {
    let count = Int(manual.format.channelCount)
    guard count != 2 else { return samples }
    let converter = try SoundConverter(
      from: SoundConverter.Form(rate: manual.rate, layout: .usual(channelCount: 2)),
      to: SoundConverter.Form(rate: manual.rate, layout: .usual(channelCount: count)))
    converter.push(samples.span)
    converter.finish()
    return converter.take(Float.self, frameCount: samples.count / 2)
  }
}
