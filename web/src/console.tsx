import './styles/index.css';
import './console/Console.module.css';
