// SPDX-License-Identifier: Apache-2.0

/// The samples in a file of PCM, μ-law or A-law, read without libsndfile.
final class PCMFileFrames: FrameSource {
  let integerBits: Int?
  /// The samples as the file's header describes them.
  let format: PCMFormat
  /// The number of frames in the file.
  let frameCount: Int64
  private let stream: FileStream
  /// The position of the first sample.
  private let start: Int64
  /// The frame that is read next.
  private var frame: Int64 = 0

  /// The number of bytes of the header that are read in one step, and at most.
  private static let (piece, headerLimit) = (4096, 1 << 24)
  /// The number of bytes of samples that are read in one step.
  private static let bufferSize = 1 << 16

  /// Finds the samples of a container; nil if they are compressed, or the header is damaged.
  init?(_ stream: FileStream) {
    guard let (sound, start) = Self.sound(in: stream), sound.format.frameByteCount > 0 else {
      return nil
    }
    let there = max(0, stream.length - start)
    (self.stream, self.start, format) = (stream, start, sound.format)
    integerBits = sound.format.layout.integerBits
    frameCount = min(sound.byteCount ?? there, there) / Int64(sound.format.frameByteCount)
  }

  /// Reads the chunks before the samples.
  ///
  /// - Returns: The format of the samples, and the position of the first one; nil if the header is
  ///   incomplete or not supported.
  static func sound(in stream: FileStream) -> (PCMHead.Sound, Int64)? {
    var (window, head) = (ByteWindow(at: 0), PCMHead())
    let length = stream.length
    var left = headerLimit
    while left > 0 {
      switch head.read(&window) {
      case .unsuitable: return nil
      case .sound(let sound):
        let (start, overflows) = window.offset
          .addingReportingOverflow(Int64(sound.skippedByteCount))
        return overflows ? nil : (sound, start)
      case .needsMore:
        let place = window.pass()
        guard place < length, let more = stream.bytes(at: place, upTo: piece), !more.isEmpty else {
          return nil
        }
        window.append(more)
        left -= more.count
      }
    }
    return nil
  }

  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int {
    switch type {
    case .integer16: unsafe read(samples.assumingMemoryBound(to: Int16.self), frameCount)
    case .integer32: unsafe read(samples.assumingMemoryBound(to: Int32.self), frameCount)
    case .float32: unsafe read(samples.assumingMemoryBound(to: Float.self), frameCount)
    case .float64: unsafe read(samples.assumingMemoryBound(to: Double.self), frameCount)
    }
  }

  func seek(to frame: Int64) -> Bool {
    guard (0...frameCount).contains(frame) else { return false }
    self.frame = frame
    return true
  }

  private func read<Sample: AudioSample>(
    _ samples: UnsafeMutablePointer<Sample>, _ count: Int
  ) -> Int {
    let wanted = min(count, Int(clamping: frameCount - frame))
    let size = format.frameByteCount
    let step = max(1, Self.bufferSize / size)
    var (bytes, done) = ([UInt8](repeating: 0, count: min(step, max(0, wanted)) * size), 0)
    while done < wanted {
      let frames = min(step, wanted - done)
      let found = unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        let place = start + frame * Int64(size)
        let frames = unsafe stream.read(base, frames * size, at: place) / size
        let whole = unsafe UnsafeRawBufferPointer(rebasing: buffer.prefix(frames * size))
        unsafe format.layout.convert(whole, to: samples + done * format.channelCount)
        return frames
      }
      (frame, done) = (frame + Int64(found), done + found)
      if found < frames { break }
    }
    return done
  }
}
