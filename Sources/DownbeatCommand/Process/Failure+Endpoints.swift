// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import RTPSessions

extension EndpointError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .noSequencer, .unknown: .noDevice
    case .noPermission: .noPermission
    case .ambiguous, .ofSeveralKinds, .noProvider: .usage
    case .vanished, .refused: .ioError
    }
  }

  var concernsMachine: Bool { self == .noSequencer || self == .noPermission }
}

extension RTPPortError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .unanswered: .noDevice
    case .refused: .noPermission
    }
  }
}
