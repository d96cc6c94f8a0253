// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudio
internal import CoreAudioHandles
internal import SoundStreaming

extension AVError {
  /// The error of Apple's assets for an error of a sound file.
  init(_ error: SoundFileError) {
    var cause: Cause?
    let code: Code
    switch error {
    case .cannotOpen(_, ENOENT), .cannotOpen(_, ENOTDIR):
      (code, cause) = (.unknown, Cause(domain: NSOSStatusErrorDomain, code: -43))
    case .cannotCreate(_, ENOSPC), .cannotWrite(_, ENOSPC): code = .diskFull
    case .cannotOpen(_, let number), .cannotCreate(_, let number), .cannotWrite(_, let number):
      (code, cause) = (.unknown, Cause(domain: NSPOSIXErrorDomain, code: Int(number)))
    case .exists: code = .fileAlreadyExists
    case .notSoundFile, .midiFile, .unknownSuffix: code = .fileFormatNotRecognized
    case .cutOff: code = .fileFailedToParse
    case .codecsMissing: code = .decoderNotFound
    case .impossibleEncoding, .impossibleShape, .impossibleByteOrder, .impossibleRateChange,
      .otherPackets:
      code = .unsupportedOutputSettings
    case .tooLarge: code = .maximumNumberOfSamplesForFileFormatReached
    case .otherSound, .cannotEncode: code = .exportFailed
    case .danglingLink, .notRegularFile, .tooMuch, .libraryMissing, .converterMissing,
      .meterMissing:
      code = .unknown
    }
    self.init(code, error.description, cause)
  }

  /// The error of Apple's assets for an address.
  init(_ error: HTTPError) {
    let code: Code =
      switch error {
      case .notSound, .notPlayable: .fileFormatNotRecognized
      case .refused, .badAddress: .contentIsUnavailable
      case .badPlaylist, .endsEarly, .changed, .givesNoParts, .redirected:
        .serverIncorrectlyConfigured
      case .libraryMissing, .cannotStart, .unreachable, .stalled, .notSecure, .beyondEnd,
        .cannotKeep:
        .unknown
      }
    self.init(code, error.description)
  }

  /// The error of Apple's assets for any error beneath.
  static func of(_ error: any Error) -> AVError {
    switch error {
    case let error as AVError: error
    case let error as SoundFileError: AVError(error)
    case let error as HTTPError: AVError(error)
    case let error as StatusError: AVError(.unknown, nil, .status(error.code))
    case is CancellationError: AVError(.operationCancelled)
    default: AVError(.unknown, "\(error)")
    }
  }
}

extension AVError.Cause {
  /// A code of Core Audio.
  static func status(_ code: OSStatus) -> AVError.Cause {
    AVError.Cause(domain: NSOSStatusErrorDomain, code: Int(code))
  }
}
