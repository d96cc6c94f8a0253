// SPDX-License-Identifier: Apache-2.0
internal import AVFAudio
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreMedia
internal import MusicalTime

/// A file that is written from frames of PCM.
final class SampleTarget: WritingTarget {
  private let form: PCMForm
  private let writer: SoundFileWriter
  private let channelCount: Int
  private var conversion: FrameConversion
  private let start: CMTime
  /// Frames to leave out before the start of the session; nil before the first buffer.
  private var skip: Int64?

  /// The longest silence before the first buffer, in seconds.
  private static let silenceLimit: Int64 = 3600
  private static let step = 8192

  init(
    _ plan: WritingPlan, _ description: AudioStreamBasicDescription,
    _ layout: ManagedAudioChannelLayout?
  ) throws(AVError) {
    guard let form = PCMForm(description) else { throw Self.otherFormat }
    let order = unsafe layout?.withUnsafePointer { unsafe AVAudioChannelLayout(layout: $0) }
    let known =
      order
      ?? (form.channelCount > 2
        ? AVAudioChannelLayout(
          layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(form.channelCount)) : nil)
    var samples = description
    guard let format = unsafe AVAudioFormat(streamDescription: &samples, channelLayout: known)
    else { throw Self.otherFormat }
    let target = try plan.fileTarget(format)
    channelCount = Int(target.fileFormat.channelCount)
    var options = target.options
    (options.metadata, options.mayReplace) = (plan.metadata, false)
    var settings = ConverterSettings()
    settings.inputLayout = order.flatMap(ChannelLabels.init)
    settings.outputLayout = target.fileFormat.channelLayout.flatMap(ChannelLabels.init)
    (self.form, start) = (form, plan.start)
    do {
      conversion = try FrameConversion(
        from: (form.rate, form.channelCount), to: (target.rate, channelCount), settings)
      writer = try SoundFileWriter(
        path: plan.path, format: target.format, channelCount: channelCount, rate: target.rate,
        options: options)
    } catch SoundFileError.codecsMissing(let path, let found) {
      throw AVError(
        .encoderNotFound, SoundFileError.codecsMissing(path: path, found: found).description)
    } catch {
      throw AVError.of(error)
    }
  }

  private static let otherFormat = AVError(
    .invalidSourceMedia, "the samples do not have the format of those before")

  func append(_ buffer: CMSampleBuffer) throws(AVError) {
    guard let description = buffer.audioFormat, PCMForm(description) == form else {
      throw Self.otherFormat
    }
    var frames = try frames(of: buffer)
    if skip == nil { skip = try place(buffer, frames.lowerBound) }
    let skipped = min(skip ?? 0, Int64(frames.count))
    skip = (skip ?? 0) - skipped
    frames = frames.lowerBound + Int(skipped)..<frames.upperBound
    for start in stride(from: frames.lowerBound, to: frames.upperBound, by: Self.step) {
      let part = start..<min(start + Self.step, frames.upperBound)
      conversion.push(try samples(of: buffer, part))
      try write()
    }
  }

  /// The frames of a buffer that are not trimmed.
  private func frames(of buffer: CMSampleBuffer) throws(AVError) -> Range<Int> {
    let size = buffer.numSamples.multipliedReportingOverflow(
      by: form.bytesPerFrame * form.bufferCount)
    guard let data = buffer.dataBuffer, !size.overflow, data.dataLength >= size.partialValue else {
      throw AVError(.invalidSourceMedia, "a buffer does not contain its samples")
    }
    let hertz = Int(form.rate.hertz)
    let start = buffer.trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    let end = buffer.trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    let first = Int(min(Int64(buffer.numSamples), max(0, start?.frame(at: hertz) ?? 0)))
    let rest = Int64(buffer.numSamples) - max(0, end?.frame(at: hertz) ?? 0)
    return first..<max(first, Int(rest))
  }

  /// Places the first frame relative to the start of the session: writes silence before it.
  ///
  /// - Returns: The frames to leave out.
  private func place(_ buffer: CMSampleBuffer, _ first: Int) throws(AVError) -> Int64 {
    let hertz = Int(form.rate.hertz)
    let distance = CMTimeSubtract(buffer.presentationTimeStamp, start)
    guard let frames = distance.frame(at: hertz).map({ $0 + Int64(first) }), frames > 0 else {
      return -(distance.frame(at: hertz).map { $0 + Int64(first) } ?? 0)
    }
    guard frames <= Self.silenceLimit * Int64(hertz) else {
      throw AVError(
        .mediaDiscontinuity, "the first samples are more than an hour after the session's start")
    }
    var rest = Int(frames)
    while rest > 0 {
      let count = min(rest, Self.step)
      conversion.push(Array(repeating: 0, count: count * form.channelCount))
      try write()
      rest -= count
    }
    return 0
  }

  /// Interleaved samples of frames.
  private func samples(
    of buffer: CMSampleBuffer, _ frames: Range<Int>
  ) throws(AVError) -> [Double] {
    guard let data = buffer.dataBuffer else { throw Self.otherFormat }
    var values = [Double](repeating: 0, count: frames.count * form.channelCount)
    let size = buffer.numSamples * form.bytesPerFrame
    do {
      try unsafe data.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        unsafe values.withUnsafeMutableBufferPointer { values in
          guard let target = values.baseAddress else { return }
          for index in 0..<form.bufferCount {
            let source = unsafe base + index * size + frames.lowerBound * form.bytesPerFrame
            unsafe form.read(source, frameCount: frames.count, buffer: index, to: target)
          }
        }
      }
    } catch {
      throw AVError.of(error)
    }
    return values
  }

  private func write() throws(AVError) {
    let ready = conversion.take(.max)
    guard !ready.isEmpty else { return }
    do {
      try writer.write(ready.span)
    } catch {
      throw AVError(error)
    }
  }

  func finish() throws(AVError) {
    conversion.finish()
    try write()
    do {
      try writer.finish()
    } catch {
      throw AVError(error)
    }
  }
}
