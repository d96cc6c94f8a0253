// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import CoreAudioTypes
package import Foundation

/// Errors of the classes of this module, as `NSError`.
package enum AVFAudioError {
  /// The domain of errors of files, converters and the engine; the code is an `OSStatus`.
  package static let domain = "com.apple.coreaudio.avfaudio"

  /// Creates an error of the module.
  ///
  /// - Parameters:
  ///   - code: The code, an `OSStatus`.
  ///   - call: The call that failed.
  ///   - reason: A sentence for the user; may be nil.
  /// - Returns: The error.
  package static func error(_ code: OSStatus, call: String, reason: String? = nil) -> NSError {
    var details: [String: Any] = ["failed call": call]
    if let reason { details[NSLocalizedFailureReasonErrorKey] = reason }
    return NSError(domain: domain, code: Int(code), userInfo: details)
  }

  /// Creates the error of a sound file.
  ///
  /// - Parameters:
  ///   - error: The error that a reader or writer throws.
  ///   - call: The call that failed.
  /// - Returns: The error, whose code is the one that Apple's Audio File Services return.
  package static func error(_ error: SoundFileError, call: String) -> NSError {
    Self.error(code(error), call: call, reason: error.description)
  }

  /// Returns the code of Audio File Services for an error of a sound file.
  ///
  /// - Parameter error: The error that a reader or writer throws.
  /// - Returns: The code.
  package static func code(_ error: SoundFileError) -> OSStatus {
    switch error {
    case .unknownSuffix: kAudioFileUnsupportedFileTypeError
    case .impossibleEncoding, .impossibleShape, .impossibleByteOrder, .otherPackets,
      .impossibleRateChange, .codecsMissing:
      kAudioFileUnsupportedDataFormatError
    case .cannotCreate(_, let number), .cannotWrite(_, let number), .cannotOpen(_, let number):
      code(errorNumber: number)
    case .exists, .danglingLink, .notRegularFile: kAudioFilePermissionsError
    case .cannotEncode, .tooLarge, .tooMuch, .libraryMissing, .converterMissing, .meterMissing,
      .otherSound:
      kAudioFileUnspecifiedError
    case .midiFile: kAudioFileUnsupportedFileTypeError
    case .cutOff: kAudioFileInvalidFileError
    case .notSoundFile: kAudioFileUnsupportedFileTypeError
    }
  }

  private static func code(errorNumber: Int32) -> OSStatus {
    switch errorNumber {
    case ENOENT, ENOTDIR: kAudioFileFileNotFoundError
    case EACCES, EPERM, EROFS: kAudioFilePermissionsError
    default: kAudioFileUnspecifiedError
    }
  }
}
