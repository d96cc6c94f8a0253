// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc
public import MusicalTime

/// Reads a sound file as interleaved samples of single precision.
///
/// - Note: Not real-time safe. One thread at a time.
public final class SoundFileReader {
  /// The file's name.
  public let path: String
  /// The samples in a frame.
  public let channelCount: Int
  /// Frames a second.
  public let rate: SampleRate
  /// Frames in the file.
  public let frameCount: Int
  private let handle: SoundFileHandle

  /// Opens a file.
  ///
  /// - Throws: `SoundFileError.cannotOpen` where it is missing or a folder,
  ///   `SoundFileError.notSoundFile` where libsndfile does not know it.
  public init(path: String) throws(SoundFileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
    let stream = FileStream(descriptor: descriptor)
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw .cannotOpen(path: path, code: EISDIR)
    }
    let handle = try SoundFileHandle(stream, mode: SFM_READ, shape: SF_INFO(), path: path)
    guard let rate = SampleRate(hertz: Int(handle.shape.samplerate)) else {
      throw .notSoundFile(path: path, reason: "its rate is \(handle.shape.samplerate) Hz")
    }
    self.path = path
    channelCount = Int(handle.shape.channels)
    self.rate = rate
    frameCount = Int(handle.shape.frames)
    self.handle = handle
  }

  /// Reads up to a number of frames, interleaved; empty at the end of the file.
  ///
  /// - Complexity: O(n) in the number of samples.
  public func read(frameCount limit: Int) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: limit * channelCount) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      unsafe count = handle.read(base, frameCount: limit) * channelCount
    }
  }
}
