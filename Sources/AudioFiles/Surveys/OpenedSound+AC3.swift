// SPDX-License-Identifier: Apache-2.0

extension OpenedSound {
  /// Opens AC-3 or E-AC-3 without a container.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if it cannot be read; `.codecsMissing` without FFmpeg.
  static func ac3(_ stream: FileStream, path: String) throws(SoundFileError) -> OpenedSound {
    guard let survey = AC3Survey(of: stream), !survey.table.packets.isEmpty else {
      return try demuxed(stream, path: path)
    }
    let found = try packets(
      stream, survey.table, survey.header.codec, cookie: [],
      channelCount: survey.header.channelCount, container: nil, layer: nil, path: path)
    guard var sound = found else { return try demuxed(stream, path: path) }
    if survey.missingCount > 0 {
      let all = survey.missingCount + survey.table.packets.count
      sound.shortfall = .packets(survey.missingCount, of: all)
    }
    return sound
  }
}
