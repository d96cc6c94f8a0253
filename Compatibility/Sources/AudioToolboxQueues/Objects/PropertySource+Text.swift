// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudioHandles
internal import CoreFoundation

extension PropertySource {
  /// The text of a `CFString` whose reference is the value.
  ///
  /// - Throws: the code for a value of a wrong size; `StatusError.parameter` for no object.
  func text() throws(StatusError) -> String {
    let address: UInt = try value()
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { throw .parameter }
    return unsafe Unmanaged<CFString>.fromOpaque(pointer).takeUnretainedValue().description
  }
}
