// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreMedia

/// PCM samples of a file as they are, byte for byte.
final class StoredSupply: SampleSupply {
  private let file: SampleFile
  private let description: CMFormatDescription
  private var frames: Range<Int64>

  /// Frames of a buffer, as on Apple's systems.
  private static let frameCount = 8192

  /// Opens a file; nil if its samples are not stored in a way that is read as it is.
  init?(path: String, _ facts: AssetFacts, _ frames: Range<Int64>) {
    do {
      file = try SampleFile(path: path, access: .reading)
    } catch {
      return nil
    }
    let stated = facts.description.audioStreamBasicDescription
    guard Int(stated?.mBytesPerFrame ?? 0) == file.frameByteCount, file.frameByteCount > 0 else {
      return nil
    }
    (description, self.frames) = (facts.description, frames)
  }

  func next() throws(AVError) -> CMSampleBuffer? {
    // A frame has up to 8192 bytes.
    let count = min(frames.count, Self.frameCount)
    guard count > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count * file.frameByteCount)
    let start = frames.lowerBound * Int64(file.frameByteCount)
    let read = unsafe bytes.withUnsafeMutableBytes { unsafe file.read($0, at: start) }
    guard read == bytes.count, let data = CMBlockBuffer(bytes) else {
      throw AVError(.decodeFailed, "\(file.path): the file ends too early")
    }
    let time = CMTime(value: frames.lowerBound, timescale: CMTimeScale(clamping: file.hertz))
    frames = frames.lowerBound + Int64(count)..<frames.upperBound
    return CMSampleBuffer(data, description, count: count, at: time)
  }
}
