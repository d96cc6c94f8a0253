// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A run loop.
public typealias CFRunLoop = RunLoop
