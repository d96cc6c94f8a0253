// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIPorts

extension EndpointError {
  /// Throws if a call of libasound returned a negative error number.
  @discardableResult
  static func check(_ action: String, _ code: Int32) throws(EndpointError) -> Int32 {
    guard code < 0 else { return code }
    throw .refused(action: action, code: -code)
  }

  /// The error for a sequencer that cannot be opened, by its error number.
  static func opening(_ code: Int32) -> EndpointError {
    switch -code {
    case ENOENT, ENODEV, ENXIO: .noSequencer
    case EACCES, EPERM: .noPermission
    default: .refused(action: "open the ALSA sequencer", code: -code)
    }
  }
}
