// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

/// The frames that libsndfile reads.
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

  /// The container and the encoding as libsndfile names them.
  static func name(ofFormat code: Int) -> String {
    let major = SoundFileHandle.name(ofFormat: code & SF_FORMAT_TYPEMASK) ?? "unknown"
    let minor = SoundFileHandle.name(ofFormat: code & SF_FORMAT_SUBMASK) ?? "unknown"
    return "\(major), \(minor)"
  }
}
