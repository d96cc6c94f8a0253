// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import AudioFiles
internal import ClipPlayback
internal import Downbeat
internal import FluidSynthInstruments

extension FileError: FailureDescribing {
  var exitStatus: ExitStatus { .noInput }
}

extension OutputFileError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .exists, .danglingLink, .cannotCreate: .noOutput
    case .cannotWrite: .ioError
    }
  }
}

extension SoundFileError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .libraryMissing, .converterMissing, .meterMissing: .failure
    case .unknownSuffix, .impossibleEncoding, .impossibleShape, .impossibleRateChange: .usage
    case .exists, .danglingLink, .cannotCreate, .notRegularFile: .noOutput
    case .cannotWrite, .cannotEncode, .tooLarge: .ioError
    case .cannotOpen, .tooMuch: .noInput
    case .notSoundFile, .cutOff: .badData
    }
  }
}

extension ClipError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .unreadable(let error): error.exitStatus
    case .tooLong, .empty, .tooManyChannels: .badData
    case .disposed, .noRoom, .notRunning, .cannotDetach, .cannotWait: .failure
    }
  }
}

extension InstrumentError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .libraryMissing, .cannotStart: .failure
    case .rateOutOfRange: .usage
    case .cannotOpen, .notSoundFont, .truncated, .broken: .noSoundFont
    }
  }
}

extension DeviceError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .noSoundDevice, .noSuchDevice, .busy, .cannotOpen, .rateRefused, .unsuitable: .noDevice
    case .notPermitted: .noPermission
    case .lost: .ioError
    case .cannotStart: .failure
    }
  }
}
