// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI

extension ALSAClient {
  /// A client with a guardian: what sounds is released even where this process is killed.
  static func guarded(name: String) throws -> ALSAClient {
    do {
      let guardian = try Guardian()
      let client = try ALSAClient(name: name, guardian: guardian)
      guardian.waitUntilReady()
      return client
    } catch let error as EndpointError {
      throw error
    } catch {
      Terminal.report("\(error)")
      return try ALSAClient(name: name)
    }
  }
}
