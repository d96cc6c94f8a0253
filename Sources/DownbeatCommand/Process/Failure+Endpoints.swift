// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts

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
