// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Calls a closure with a path's bytes as the system takes them, with a zero byte at the end.
  ///
  /// Every path that leaves for C goes through here: a string that is passed to C itself would name
  /// another file if its bytes are not UTF-8.
  ///
  /// - Parameter body: called once; the pointer is valid until it returns.
  /// - Returns: the closure's result.
  /// - Complexity: O(n) in the bytes.
  @safe
  package func withSystemPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard FileName.hasLooseBytes(self) else { return unsafe withCString(body) }
    let bytes = FileName.bytes(of: self).map(CChar.init(bitPattern:)) + [0]
    return unsafe body(bytes)
  }
}
