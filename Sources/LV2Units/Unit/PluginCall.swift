// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// Marks calls of a plug-in's functions outside the render thread, so that a report names the
/// plug-in if it crashes, ends the program or hangs.
@safe
struct PluginCall {
  /// The plug-in's URI, which stays valid until the process ends.
  let uri: UnsafePointer<CChar>

  /// Creates the mark for the plug-in with a URI.
  init(_ uri: String) {
    // The text of a mapped URI is never freed; if memory for it runs out, the text is empty.
    unsafe self.uri = HostFeatures.text(uri) ?? Self.unknown
  }

  private nonisolated(unsafe) static let unknown = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    unsafe text.initialize(to: 0)
    return unsafe UnsafePointer(text)
  }()

  /// Calls a closure that calls a function of the plug-in.
  ///
  /// - Parameters:
  ///   - function: the function's name in LV2, such as `cleanup`.
  ///   - body: the closure.
  /// - Returns: the closure's result.
  func during<Result>(_ function: StaticString, _ body: () -> Result) -> Result {
    let call = unsafe function.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: function.utf8CodeUnitCount
    ) { unsafe clilv_enter(uri, $0) }
    defer { unsafe clilv_leave(call) }
    return body()
  }
}
