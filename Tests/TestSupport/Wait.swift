// SPDX-License-Identifier: Apache-2.0

/// Waits until something holds, for a minute at most; what holds is looked at every 10 ms, and once
/// it does no more.
///
/// - Returns: whether it held in the end.
@discardableResult
public func wait(until holds: () throws -> Bool) async rethrows -> Bool {
  for _ in 0..<6000 {
    if try holds() { return true }
    // A cancelled wait goes on at once, and ends with the loop.
    do { try await Task.sleep(for: .milliseconds(10)) } catch { return try holds() }
  }
  return try holds()
}
