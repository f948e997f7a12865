"""Any server that speaks OpenAI's chat interface: vLLM, llama.cpp, Ollama and others."""
