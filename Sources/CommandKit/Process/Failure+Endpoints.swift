// SPDX-License-Identifier: Apache-2.0
package import MIDIPorts
package import RTPSessions

extension EndpointError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .noSequencer, .unknown: .noDevice
    case .noPermission: .noPermission
    case .ambiguous, .ofSeveralKinds, .noProvider: .usage
    case .vanished, .refused: .ioError
    }
  }

  package var concernsMachine: Bool { self == .noSequencer || self == .noPermission }
}

extension RTPPortError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .unanswered: .noDevice
    case .refused: .noPermission
    }
  }
}
