// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

extension ControlError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch kind {
    case .usage: .usage
    case .refused: .failure
    case .noDevice: .noDevice
    case .noOutput: .noOutput
    case .noPermission: .noPermission
    case .badData: .badData
    case .ioError: .ioError
    }
  }
}
