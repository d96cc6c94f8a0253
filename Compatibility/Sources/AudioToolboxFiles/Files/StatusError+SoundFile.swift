// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation

extension StatusError {
  /// The code of AudioFile.h for an error of a sound file.
  init(_ error: SoundFileError) {
    let code: OSStatus =
      switch error {
      case .cannotOpen(_, let code), .cannotCreate(_, let code), .cannotWrite(_, let code):
        Self.code(errorNumber: code)
      case .exists: kAudioFilePermissionsError
      case .danglingLink: kAudioFileFileNotFoundError
      case .notRegularFile, .midiFile, .unknownSuffix, .tooMuch:
        kAudioFileUnsupportedFileTypeError
      case .notSoundFile: kAudioFileUnsupportedFileTypeError
      case .cutOff, .otherSound: kAudioFileInvalidFileError
      case .impossibleEncoding, .impossibleShape, .impossibleByteOrder, .impossibleRateChange,
        .otherPackets, .cannotEncode, .codecsMissing:
        kAudioFileUnsupportedDataFormatError
      case .tooLarge: kAudioFileDoesNotAllow64BitDataSizeError
      case .libraryMissing, .converterMissing, .meterMissing: kAudioFileUnspecifiedError
      }
    self.init(code)
  }

  private static func code(errorNumber: Int32) -> OSStatus {
    switch errorNumber {
    case ENOENT, ENOTDIR: kAudioFileFileNotFoundError
    case EACCES, EPERM, EROFS, ETXTBSY, EISDIR: kAudioFilePermissionsError
    default: kAudioFileUnspecifiedError
    }
  }
}
