// SPDX-License-Identifier: Apache-2.0
package import ALSAAudio
package import AudioFiles
package import ClipPlayback
package import Downbeat
internal import Glibc
package import JACKAudio
package import Realtime
package import SoundFontInstruments
package import SoundStreaming

extension ExitStatus {
  /// This status, or `noPermission` (77) if the error number of the system means that permission
  /// was denied.
  func unlessDenied(_ code: Int32) -> ExitStatus {
    code == EACCES || code == EPERM ? .noPermission : self
  }
}

extension FileError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .denied: .noPermission
    case .swells: .badData
    default: .noInput
    }
  }
}

extension OutputFileError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .exists, .danglingLink: .noOutput
    case .cannotCreate(_, let code): ExitStatus.noOutput.unlessDenied(code)
    case .cannotWrite: .ioError
    }
  }
}

extension SoundFileError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .libraryMissing, .codecsMissing, .converterMissing, .meterMissing: .noLibrary
    case .unknownSuffix, .impossibleEncoding, .impossibleShape, .impossibleByteOrder,
      .impossibleRateChange, .otherPackets, .otherSound:
      .usage
    case .exists, .danglingLink, .notRegularFile: .noOutput
    case .cannotCreate(_, let code): ExitStatus.noOutput.unlessDenied(code)
    case .cannotWrite, .cannotEncode, .tooLarge: .ioError
    case .cannotOpen(_, let code): ExitStatus.noInput.unlessDenied(code)
    case .tooMuch: .noInput
    case .midiFile, .notSoundFile, .cutOff: .badData
    }
  }
}

extension HTTPError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .badAddress: .usage
    case .libraryMissing: .noLibrary
    case .cannotStart: .failure
    case .refused(_, 401), .refused(_, 403), .refused(_, 407): .noPermission
    case .unreachable, .notSecure, .refused, .redirected: .noInput
    case .beyondEnd: .usage
    case .notSound, .notPlayable, .badPlaylist, .changed: .badData
    case .stalled, .endsEarly, .givesNoParts: .ioError
    case .cannotKeep: .noOutput
    }
  }
}

extension ClipError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .unreadable(let error): error.exitStatus
    case .tooLong, .empty, .tooManyChannels: .badData
    case .disposed, .noRoom, .notRunning, .cannotDetach, .cannotWait: .failure
    }
  }
}

extension PlaybackError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .unknownDestination, .noState: .badData
    case .outputNeverBegan: .noDevice
    }
  }
}

extension InstrumentError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .libraryMissing: .noLibrary
    case .cannotStart, .noRoom: .failure
    case .rateOutOfRange: .usage
    case .cannotOpen(_, let code): ExitStatus.noSoundFont.unlessDenied(code)
    case .notSoundFont, .truncated, .broken: .noSoundFont
    }
  }
}

extension JACKError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .noServer, .notRunning, .noLibrary, .noAnswer, .refused, .noSuchTarget, .rateDiffers:
      .noDevice
    case .noSuchChannel: .usage
    case .cannotRegister, .cannotStart: .failure
    case .lost, .returnedAtOtherRate: .ioError
    }
  }

  package var concernsMachine: Bool {
    switch self {
    case .noServer, .noLibrary, .noAnswer, .refused: true
    default: false
    }
  }
}

extension DeviceError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .noSoundDevice, .noSuchDevice, .busy, .cannotOpen, .rateRefused, .unsuitable: .noDevice
    case .notPermitted: .noPermission
    case .noSuchChannel: .usage
    case .lost: .ioError
    case .cannotStart: .failure
    }
  }

  package var concernsMachine: Bool {
    switch self {
    case .noSoundDevice, .notPermitted, .cannotOpen: true
    default: false
    }
  }
}

extension SharedSnapshotError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .badName: .usage
    case .taken, .absent, .foreign: .noDevice
    case .noPermission, .unsafeFolder: .noPermission
    case .folder, .refused: .ioError
    }
  }
}
