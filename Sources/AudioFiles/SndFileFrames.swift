// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

/// Frames that libsndfile reads.
final class SndFileFrames: FrameSource {
  let handle: SoundFileHandle
  let integerBits: Int?

  init(_ stream: FileStream, path: String) throws(SoundFileError) {
    handle = try SoundFileHandle(stream, mode: SFM_READ, shape: SF_INFO(), path: path)
    integerBits = SoundFileFormat(code: handle.shape.format)?.encoding.integerBits
  }

  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int {
    unsafe handle.read(samples, as: type, frameCount: frameCount)
  }

  func seek(to frame: Int64) -> Bool { handle.seek(to: frame) }

  /// libsndfile's names of the container and the encoding.
  static func name(ofFormat code: Int) -> String {
    let major = SoundFileHandle.name(ofFormat: code & SF_FORMAT_TYPEMASK) ?? "unknown"
    let minor = SoundFileHandle.name(ofFormat: code & SF_FORMAT_SUBMASK) ?? "unknown"
    return "\(major), \(minor)"
  }
}
