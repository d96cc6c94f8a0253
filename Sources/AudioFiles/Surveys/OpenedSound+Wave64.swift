// SPDX-License-Identifier: Apache-2.0

extension OpenedSound {
  /// Opens a Wave64 file: samples with this module's parser, other codecs with libsndfile.
  ///
  /// libsndfile 1.2 reads floating point in the extensible format as integers.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if it cannot be read, `.cutOff` if the file is
  ///   truncated.
  static func wave64(_ stream: FileStream, path: String) throws(SoundFileError) -> OpenedSound {
    guard let frames = PCMFileFrames(stream) else { return try sndFile(stream, path: path) }
    var sound = try OpenedSound(frames, container: .w64, path: path)
    sound.shortfall = ContainerSurvey.shortfall(of: stream)
    return sound
  }
}
