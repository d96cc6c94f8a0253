// SPDX-License-Identifier: Apache-2.0

extension OpenedSound {
  /// Opens a Wave64 file: samples by our own parser, other codecs by libsndfile.
  ///
  /// libsndfile 1.2 reads the floating point of an extensible format as integers.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if nothing reads it, `.cutOff` if that is the reason.
  static func wave64(_ stream: FileStream, path: String) throws(SoundFileError) -> OpenedSound {
    guard let frames = PCMFileFrames(stream) else { return try sndFile(stream, path: path) }
    var sound = try OpenedSound(frames, container: .w64, path: path)
    sound.shortfall = ContainerSurvey.shortfall(of: stream)
    return sound
  }
}
