// SPDX-License-Identifier: Apache-2.0

/// Waits until a condition is met, for at most a minute.
///
/// It is checked every 10 ms, and once more at the end.
///
/// - Returns: True if the condition was met.
@discardableResult
public func wait(until holds: () throws -> Bool) async rethrows -> Bool {
  for _ in 0..<6000 {
    if try holds() { return true }
    // A cancelled wait continues immediately, and ends with the loop.
    do { try await Task.sleep(for: .milliseconds(10)) } catch { return try holds() }
  }
  return try holds()
}
