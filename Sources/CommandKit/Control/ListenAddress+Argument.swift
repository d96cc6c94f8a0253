// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import NetworkSockets
package import PlayerControl

extension ListenAddress: ExpressibleByArgument {}

extension NetworkError: FailureDescribing {
  package var exitStatus: ExitStatus {
    switch self {
    case .badAddress: .usage
    case .cannotSet, .cannotReceive: .ioError
    default: code.map(ExitStatus.noDevice.unlessDenied) ?? .noDevice
    }
  }
}
